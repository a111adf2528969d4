/**
 * Options that must not compile, as `tsc -b` checks: a `@ts-expect-error` is an error itself when the line below it compiles. Each
 * has the name that the run-time error must mention, for pages without types.
 */
import { createPurchaseWidget, type PurchaseWidget } from '../src/index.ts'

const companion = '/c'
const widgetUrl = 'https://widget.example'
const accessToken = 't'

export const wrongOptions: [name: string, make: () => PurchaseWidget][] = [
  // @ts-expect-error no token source
  ['companion', () => createPurchaseWidget({})],
  // @ts-expect-error two token sources
  ['launchUrl', () => createPurchaseWidget({ companion, launchUrl: '/l' })],
  // @ts-expect-error the companion has the token
  ['accessToken', () => createPurchaseWidget({ companion, accessToken })],
  // @ts-expect-error a token needs the widget's address
  ['widgetUrl', () => createPurchaseWidget({ accessToken })],
  // @ts-expect-error so does an address to launch
  ['widgetUrl', () => createPurchaseWidget({ launchUrl: '/l' })],
  // @ts-expect-error a token is text, or a function
  ['accessToken', () => createPurchaseWidget({ widgetUrl, accessToken: { token: 't' } })],
  // @ts-expect-error no such mode
  ['mode', () => createPurchaseWidget({ companion, mode: 'window' })],
  // @ts-expect-error a frame needs a place
  ['container', () => createPurchaseWidget({ companion, mode: 'iframe' })],
  // @ts-expect-error a dialog has none
  ['container', () => createPurchaseWidget({ companion, mode: 'modal', container: '#here' })],
  // @ts-expect-error nor has a popup
  ['container', () => createPurchaseWidget({ companion, mode: 'popup', container: '#here' })],
  // @ts-expect-error the service's word, not that of HTML
  ['redirectPage', () => createPurchaseWidget({ companion, redirectPage: '_blank' })],
  // @ts-expect-error React's word
  ['fallback', () => createPurchaseWidget({ companion, mode: 'popup', fallback: 'modal' })],
  // @ts-expect-error nothing else can be done
  ['whenBlocked', () => createPurchaseWidget({ companion, mode: 'popup', whenBlocked: 'popup' })],
  // @ts-expect-error when to load, not whether
  ['preload', () => createPurchaseWidget({ companion, preload: true })],
  // @ts-expect-error milliseconds
  ['loadTimeout', () => createPurchaseWidget({ companion, loadTimeout: '15s' })],
  // @ts-expect-error no such theme
  ['theme', () => createPurchaseWidget({ companion, theme: 'sepia' })],
  // @ts-expect-error a list
  ['allowedReturnOrigins', () => createPurchaseWidget({ companion, allowedReturnOrigins: '*' })],
  // @ts-expect-error a list
  ['plainHttpHosts', () => createPurchaseWidget({ companion, plainHttpHosts: 'sandbox' })],
  // @ts-expect-error a field in another spelling
  ['product_id', () => createPurchaseWidget({ companion, params: { productId: 'gold-100' } })],
  // @ts-expect-error a token is no parameter
  ['accessToken', () => createPurchaseWidget({ companion, params: { accessToken } })],
  // @ts-expect-error that is the option redirectPage
  ['redirectPage', () => createPurchaseWidget({ companion, params: { redirect_page: 'new' } })],
  // @ts-expect-error no such option: redirectPage
  ['redirect_page', () => createPurchaseWidget({ companion, redirect_page: 'new' })],
  // @ts-expect-error events are listened to
  ['onSuccess', () => createPurchaseWidget({ companion, onSuccess: () => {} })],
]
