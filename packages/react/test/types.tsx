/**
 * What must compile and what must not, for the compiler to check: a `@ts-expect-error` is itself an error when the line below it
 * compiles.
 */
import '@purchase-widget/loader/element/react'
import {
  PurchaseButton,
  PurchaseWidget,
  PurchaseWidgetProvider,
  usePurchaseWidget,
} from '@purchase-widget/react'
import { type ReactElement, useRef } from 'react'

const companion = '/api/purchase-widget'
const widgetUrl = 'https://widget.example'
const launchUrl = '/launch'
const accessToken = async (): Promise<string> => 'token'

export function Compiles(): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  usePurchaseWidget({ companion })
  usePurchaseWidget({ companion, mode: 'iframe', container: box })
  usePurchaseWidget({ companion, mode: 'popup', whenBlocked: 'redirect', popup: { width: 400 } })
  usePurchaseWidget({ widgetUrl, accessToken, confirm: async () => null })
  return (
    <PurchaseWidgetProvider companion={companion} locale="ar">
      <PurchaseWidget />
      <PurchaseWidget companion={companion} fallback="Loading" className="frame" data-testid="widget" />
      <PurchaseWidget
        widgetUrl={widgetUrl}
        accessToken={accessToken}
        params={{ product_id: 'gold-100', other: 'x' }}
      />
      <PurchaseWidget widgetUrl={widgetUrl} launchUrl={launchUrl} confirm={async () => null} />
      <PurchaseWidget id="checkout" role="region" lang="de" dir="ltr" tabIndex={-1} />
      <PurchaseButton id="buy" role="menuitem" lang="de" dir="ltr" tabIndex={0} />
      <PurchaseButton mode="popup" whenBlocked="none" disabled aria-label="Buy">
        Buy
      </PurchaseButton>
      <PurchaseButton href="/launch" render={(props) => <a {...props}>Buy</a>} />
      <PurchaseButton render={(props, state) => <button {...props}>{state.status}</button>} />
    </PurchaseWidgetProvider>
  )
}

// The loader's own tests check which token sources there are; the provider's is React's.
export function oneTokenSource(): ReactElement[] {
  return [
    // @ts-expect-error companion and access token
    <PurchaseWidget key={1} companion={companion} widgetUrl={widgetUrl} accessToken="token" />,
    // @ts-expect-error an address alone is no token source
    <PurchaseButton key={2} widgetUrl={widgetUrl} />,
    // @ts-expect-error the provider takes one source too
    <PurchaseWidgetProvider key={3} companion={companion} widgetUrl={widgetUrl} accessToken="token" />,
  ]
}

export function eachOptionWhereItMeansSomething(): ReactElement[] {
  const element = document.body
  return [
    // @ts-expect-error the component is its own container
    <PurchaseWidget key={1} companion={companion} container={element} />,
    // @ts-expect-error what opens elsewhere needs a click: PurchaseButton
    <PurchaseWidget key={2} companion={companion} mode="popup" />,
    // @ts-expect-error there is no popup to size
    <PurchaseWidget key={3} companion={companion} popup={{ width: 400 }} />,
    // @ts-expect-error it loads as soon as it is mounted
    <PurchaseWidget key={4} companion={companion} preload="eager" />,
    // @ts-expect-error a modal has no container
    <PurchaseButton key={5} companion={companion} mode="modal" container={element} />,
    // @ts-expect-error a popup has no container
    <PurchaseButton key={6} companion={companion} mode="popup" container="#box" />,
    // @ts-expect-error a frame needs a container
    <PurchaseButton key={7} companion={companion} mode="iframe" />,
    // @ts-expect-error a frame can't be blocked as a popup can
    <PurchaseButton key={8} companion={companion} mode="iframe" container={element} whenBlocked="modal" />,
    // @ts-expect-error a link is never disabled
    <PurchaseButton key={12} companion={companion} href="/launch" disabled />,
    // @ts-expect-error no such mode
    <PurchaseButton key={9} companion={companion} mode="tab" />,
    // @ts-expect-error where the frame goes differs from component to component
    <PurchaseWidgetProvider key={10} companion={companion} container={element} />,
    // @ts-expect-error how it opens differs from component to component
    <PurchaseWidgetProvider key={11} companion={companion} mode="popup" />,
  ]
}

export function callbacksSayWhatHappened(): ReactElement[] {
  return [
    <PurchaseWidget
      key={1}
      onSuccess={(result) => result.order?.id satisfies string | undefined}
      onFailure={(result) => result.decline?.action satisfies string | undefined}
      onError={(error) => error.code satisfies string}
      onReturn={(event) => event.preventDefault()}
    />,
    // @ts-expect-error a success has no decline
    <PurchaseWidget key={2} onSuccess={(result) => result.decline} />,
    // @ts-expect-error a result is what closed it
    <PurchaseWidget key={4} onClose={() => {}} />,
    // @ts-expect-error no such callback
    <PurchaseWidget key={3} onOpen={() => {}} />,
  ]
}

export const elements: ReactElement[] = [
  <purchase-widget
    key={1}
    className="checkout"
    companion="/api/purchase-widget"
    redirect-page="new"
    load-timeout={9000}
    page-token
    param-product_id="gold-100"
    options={{ interpretMessage: () => null }}
  />,
  // @ts-expect-error no such mode
  <purchase-widget key={2} mode="window" />,
  // @ts-expect-error not a number
  <purchase-widget key={3} load-timeout={true} />,
]
