import { isUnderWay, type WidgetError } from '@purchase-widget/loader'
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type MouseEventHandler,
  type ReactNode,
  type Ref,
  type RefAttributes,
} from 'react'
import { attributesOf, type ElementAttributes, type UsePurchaseWidgetOptions } from './options.ts'
import { idle, type Slot } from './slot.ts'
import { useSlot } from './usePurchaseWidget.ts'

/** The state that a button shows. */
export type PurchaseButtonState =
  | { status: 'idle' }
  /** From the click to the result. */
  | { status: 'pending' }
  /** The last purchase ended in an error; the next click tries again. */
  | { status: 'error'; error: WidgetError }

/** The props that `render` spreads on a button of your own. */
export type PurchaseButtonElementProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref: Ref<HTMLButtonElement>
  'data-status': PurchaseButtonState['status']
}

/** The props that `render` spreads on a link of your own. */
export type PurchaseLinkElementProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  ref: Ref<HTMLAnchorElement>
  'data-status': PurchaseButtonState['status']
}

/** A button or, with `href`, a link. `render` renders one of your own: a design system's, or one whose label shows the state. */
type Rendered =
  | {
      href?: never
      disabled?: boolean
      render?: (props: PurchaseButtonElementProps, state: PurchaseButtonState) => ReactNode
    }
  | {
      /** The companion's `/launch?product_id=…`: where the link leads without JavaScript, and in another tab. */
      href: string
      disabled?: never
      render?: (props: PurchaseLinkElementProps, state: PurchaseButtonState) => ReactNode
    }

export type PurchaseButtonProps = UsePurchaseWidgetOptions &
  ElementAttributes & {
    children?: ReactNode
    onClick?: MouseEventHandler<HTMLElement>
  } & Rendered

/**
 * A button that opens the purchase widget in its click, so that no popup is blocked; with `href` a link, which also works without JavaScript.
 *
 * `aria-busy` and `data-status` show `pending` from the click to the result. `onClick` runs first; its `preventDefault()`
 * keeps the widget closed. With `preload="intent"`, loading starts when the button is hovered or focused.
 */
export const PurchaseButton: ForwardRefExoticComponent<PurchaseButtonProps & RefAttributes<HTMLElement>> =
  forwardRef<HTMLElement, PurchaseButtonProps>(function PurchaseButton(
    { render, onClick, href, ...props },
    ref,
  ) {
    const [{ open, preload }, state] = useSlot(props as UsePurchaseWidgetOptions, stateOf)
    const warm = (): void => {
      if (props.preload === 'intent') preload()
    }
    const element = {
      ...attributesOf(props),
      ...(href === undefined ? { type: 'button' } : { href }),
      ref,
      'aria-busy': state.status === 'pending',
      'data-status': state.status,
      onPointerEnter: warm,
      onFocus: warm,
      onClick: ((event) => {
        onClick?.(event)
        // The browser handles a link that opens another tab or window.
        const forBrowser = href && (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
        if (event.defaultPrevented || forBrowser) return
        void open()
        // Last: if open() throws, the browser follows the link.
        event.preventDefault()
      }) satisfies MouseEventHandler<HTMLElement>,
    }
    // The union of the props ensures which of the two elements it is.
    if (render) return render(element as never, state)
    return createElement(href === undefined ? 'button' : 'a', element as object)
  })

const pending: PurchaseButtonState = { status: 'pending' }

function stateOf({ getSnapshot }: Slot): PurchaseButtonState {
  const state = getSnapshot()
  if (state.status === 'settled' && state.result.status === 'error') return state.result
  return isUnderWay(state) ? pending : idle
}
