/** What components and hook take: the loader's options as props, and one callback per event. */
import type { TokenSource, WidgetBehaviour, WidgetEventMap } from '@purchase-widget/loader'
import type { RefObject } from 'react'

/** No token source here: a `<PurchaseWidgetProvider>` above gives it. */
export interface SourceFromProvider {
  companion?: never
  widgetUrl?: never
  accessToken?: never
  launchUrl?: never
  confirm?: never
}

/** Exactly one token source, or the provider's; and the options that mean the same in every mode. */
export type SharedOptions = (TokenSource | SourceFromProvider) &
  Omit<WidgetBehaviour, 'mode' | 'container' | 'fallback' | 'popup' | 'preload'>

/** Where an iframe goes: an element, a ref to one, or a selector. */
export type Container = Element | string | RefObject<Element | null>

/** Where the widget opens, each with the options that mean something there. */
export type SurfaceOptions = Pick<WidgetBehaviour, 'preload'> &
  (
    | {
        mode: 'iframe'
        /** Where the frame goes. `<PurchaseWidget>` brings its own. */
        container: Container
        fallback?: never
        popup?: never
      }
    | {
        /** Default `modal`. */
        mode?: 'modal' | 'popup' | 'redirect'
        /** What to do when a popup is blocked. Default `modal`. */
        fallback?: 'modal' | 'redirect' | 'none'
        /** Size of the popup in CSS pixels. */
        popup?: { width?: number; height?: number }
        container?: never
      }
  )

/** Called with what happened. May be inline: the newest is the one that is called, and nothing remounts. */
export interface PurchaseWidgetEvents {
  /** The purchase is complete. `verified` says whether your server was asked; fulfil on what it knows. */
  onSuccess?: (result: WidgetEventMap['success']) => void
  /** The payment failed; `decline` says why, and what the shopper can do. */
  onFailure?: (result: WidgetEventMap['failure']) => void
  /** The widget has closed, however it ended. */
  onClose?: (result: WidgetEventMap['close']) => void
  /** The widget said that it can be used. Needs `interpretMessage`: a load event proves nothing (M1). */
  onReady?: (event: WidgetEventMap['ready']) => void
  /** Something broke. The error has a stable `code`, and never holds a token. */
  onError?: (error: WidgetEventMap['error']) => void
  /** The shopper is back from the widget; `preventDefault()` keeps the page where it is. */
  onReturn?: (event: WidgetEventMap['return']) => void
  /** Each change of the widget's state. */
  onStateChange?: (state: WidgetEventMap['statechange']) => void
}

/** What `usePurchaseWidget` takes. */
export type UsePurchaseWidgetOptions = SharedOptions & SurfaceOptions & PurchaseWidgetEvents
