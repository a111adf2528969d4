/** Options that compile, and the types of results. Checked by `tsc -b`; `wrongOptions.ts` has options that must not compile. */

import type { GlobalComponents } from 'vue'
import type { PurchaseWidgetAttributes } from '../src/entries/element.ts'
import type {} from '../src/entries/elementVue.ts'
import { createPurchaseWidget, type PurchaseResult, type PurchaseWidget } from '../src/index.ts'

const mode = 'popup' as 'modal' | 'popup' | 'redirect'

export const compiles: (() => PurchaseWidget)[] = [
  () => createPurchaseWidget({ companion: '/c' }),
  () => createPurchaseWidget({ companion: '/c', mode, whenBlocked: 'none', popup: { width: 400 } }),
  () => createPurchaseWidget({ companion: '/c', container: '#here' }),
  () => createPurchaseWidget({ companion: '/c', pageToken: true, headers: { authorization: 'Bearer x' } }),
  () => createPurchaseWidget({ widgetUrl: 'https://w.example', accessToken: async () => 't' }),
  () => createPurchaseWidget({ widgetUrl: 'https://w.example', launchUrl: '/l', confirm: async () => null }),
  () => createPurchaseWidget({ companion: '/c', params: { product_id: 'gold-100', other: 'x' } }),
]

export const wrong = [
  // @ts-expect-error the companion confirms
  () => createPurchaseWidget({ companion: '/c', confirm: async () => null }),
  // @ts-expect-error headers go to a companion
  () => createPurchaseWidget({ widgetUrl: 'https://w.example', accessToken: 't', headers: {} }),
  // @ts-expect-error a frame is never blocked as a popup is
  () => createPurchaseWidget({ companion: '/c', container: '#here', whenBlocked: 'modal' }),
  // @ts-expect-error a closed widget is neither verified nor not
  (result: PurchaseResult) => result.status === 'closed' && result.verified,
  // @ts-expect-error no such event
  (widget: PurchaseWidget) => widget.on('close', () => {}),
  // @ts-expect-error a success has no decline
  (widget: PurchaseWidget) => widget.on('success', (result) => result.decline),
]

export const attributes = [
  {
    companion: '/c',
    'redirect-page': 'new',
    'load-timeout': 1000,
    'page-token': true,
    'param-product_id': 'x',
  },
  // @ts-expect-error no such mode
  { mode: 'window' },
  // @ts-expect-error a token is no attribute
  { 'access-token': 't' },
] satisfies PurchaseWidgetAttributes[]

export function listens(element: HTMLElement): void {
  document.addEventListener('purchase-widget-result', ({ detail }) => detail.status satisfies string)
  element.addEventListener('purchase-widget-error', ({ detail }) => detail.code satisfies string)
  document.createElement('purchase-widget').options = { accessToken: 't' }
}

type VueProps = InstanceType<GlobalComponents['purchase-widget']>['$props']

export const vue: VueProps[] = [
  { companion: '/c', 'redirect-page': 'new', options: { interpretMessage: () => null } },
  // @ts-expect-error no such page
  { 'redirect-page': '_blank' },
]
