/** What components and hook take: the loader's options as props, and one callback per event. */
import type { TokenSource, WidgetBehaviour, WidgetEventProps } from '@purchase-widget/loader'
import type { RefObject } from 'react'

/** No token source here: a `<PurchaseWidgetProvider>` above gives it. */
export interface SourceFromProvider {
  companion?: never
  pageToken?: never
  widgetOrigin?: never
  headers?: never
  widgetUrl?: never
  accessToken?: never
  launchUrl?: never
  confirm?: never
}

/** Exactly one token source, or the provider's; and the options that mean the same in every mode. */
export type SharedOptions = (TokenSource | SourceFromProvider) &
  Omit<WidgetBehaviour, 'mode' | 'container' | 'whenBlocked' | 'popup' | 'preload'>

/** Where an iframe goes: an element, a ref to one, or a selector. */
export type Container = Element | string | RefObject<Element | null>

/** Where the widget opens, each with the options that mean something there. */
export type SurfaceOptions = Pick<WidgetBehaviour, 'preload'> &
  (
    | {
        mode: 'iframe'
        /** Where the frame goes. `<PurchaseWidget>` brings its own. */
        container: Container
        whenBlocked?: never
        popup?: never
      }
    | ({
        /** Default `modal`. */
        mode?: 'modal' | 'popup' | 'redirect'
        container?: never
      } & Pick<WidgetBehaviour, 'whenBlocked' | 'popup'>)
  )

/**
 * Called with what happened: one callback for each of the loader's events. May be inline: the newest is the one that is called, and nothing
 * remounts.
 */
export interface PurchaseWidgetEvents extends WidgetEventProps {
  /** The purchase is paid. `verified` says whether your server confirms what was sold; deliver from your server. */
  onSuccess?: NonNullable<WidgetEventProps['onSuccess']>
  /** The payment failed; `decline` says why, and what the shopper can do. */
  onFailure?: NonNullable<WidgetEventProps['onFailure']>
  /** Every result, last of all: also that the shopper left, or that it is not known. */
  onResult?: NonNullable<WidgetEventProps['onResult']>
  /** Something broke. The error has a stable `code`, and never holds a token. */
  onError?: NonNullable<WidgetEventProps['onError']>
  /** The shopper is back from the widget; `preventDefault()` keeps the page where it is. */
  onReturn?: NonNullable<WidgetEventProps['onReturn']>
  /** The widget said that it can be used. Needs `interpretMessage`: a load event proves nothing (M1). */
  onReady?: NonNullable<WidgetEventProps['onReady']>
}

/** What `usePurchaseWidget` takes. */
export type UsePurchaseWidgetOptions = SharedOptions & SurfaceOptions & PurchaseWidgetEvents
