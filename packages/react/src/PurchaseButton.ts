import type { WidgetError, WidgetState } from '@purchase-widget/loader'
import {
  type ButtonHTMLAttributes,
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type Ref,
  type RefAttributes,
} from 'react'
import type { UsePurchaseWidgetOptions } from './options.ts'
import { attributesOf } from './props.ts'
import { usePurchaseWidget } from './usePurchaseWidget.ts'

/** What a button has to show. */
export type PurchaseButtonState =
  | { status: 'idle' }
  /** The widget is on its way, or the merchant's server is being asked what became of the purchase. */
  | { status: 'pending' }
  /** The last purchase ended in an error; the next click tries again. */
  | { status: 'error'; error: WidgetError }

/** What `render` spreads on a button of your own. */
export type PurchaseButtonElementProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref: Ref<HTMLButtonElement>
  'data-status': PurchaseButtonState['status']
}

export type PurchaseButtonProps = UsePurchaseWidgetOptions &
  Pick<
    ButtonHTMLAttributes<HTMLButtonElement>,
    'children' | 'className' | 'style' | 'disabled' | 'onClick'
  > & {
    /** Renders a button of your own: a design system's, or one whose label tells the state. */
    render?: (props: PurchaseButtonElementProps, state: PurchaseButtonState) => ReactNode
  }

/**
 * A button that opens the purchase widget in its click, so that no popup is blocked.
 *
 * `aria-busy` and `data-status` say `pending` until the widget is there. `onClick` runs first; its `preventDefault()`
 * keeps the widget closed. With `preload="intent"` loading starts when the pointer or the focus arrives.
 */
export const PurchaseButton: ForwardRefExoticComponent<
  PurchaseButtonProps & RefAttributes<HTMLButtonElement>
> = forwardRef<HTMLButtonElement, PurchaseButtonProps>(function PurchaseButton(
  { render, onClick, ...props },
  ref,
) {
  const { state: widget, open, preload } = usePurchaseWidget(props)
  const state = stateOf(widget)
  const warm = (): void => {
    if (props.preload === 'intent') preload()
  }
  const button: PurchaseButtonElementProps = {
    ...attributesOf(props),
    ref,
    type: 'button',
    'aria-busy': state.status === 'pending',
    'data-status': state.status,
    onPointerEnter: warm,
    onFocus: warm,
    onClick(event) {
      onClick?.(event)
      if (!event.defaultPrevented) void open()
    },
  }
  // biome-ignore lint/a11y/useButtonType: its type is among the props.
  return render ? render(button, state) : createElement('button', button)
})

function stateOf(widget: WidgetState): PurchaseButtonState {
  if (widget.status === 'closed' && widget.result.status === 'error') return widget.result
  // While it is opening, loading or confirming.
  return { status: /ing$/.test(widget.status) ? 'pending' : 'idle' }
}
