import type { WidgetError, WidgetState } from '@purchase-widget/loader'
import {
  type ComponentPropsWithoutRef,
  type ComponentPropsWithRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  type SyntheticEvent,
  useEffect,
} from 'react'
import type { UsePurchaseWidgetOptions } from './options.ts'
import { splitProps } from './props.ts'
import { useSlot, useSlotState } from './useSlot.ts'

/** What a button has to show. */
export type PurchaseButtonState =
  | { status: 'idle' }
  /** The widget is on its way, or the merchant's server is being asked what became of the purchase. */
  | { status: 'pending' }
  /** The last purchase ended in an error; the next click tries again. */
  | { status: 'error'; error: WidgetError }

/** What `render` passes on to a button of your own. */
export type PurchaseButtonElementProps = ComponentPropsWithRef<'button'> & {
  'data-status': PurchaseButtonState['status']
}

type ButtonAttributes = Omit<
  ComponentPropsWithoutRef<'button'>,
  keyof UsePurchaseWidgetOptions | 'children' | 'container'
>

export type PurchaseButtonProps = UsePurchaseWidgetOptions &
  ButtonAttributes & {
    /** The label, or a function that makes it of the state. */
    children?: ReactNode | ((state: PurchaseButtonState) => ReactNode)
    /** Renders a button of your own, such as a design system's. Spread the props on it. */
    render?: (props: PurchaseButtonElementProps, state: PurchaseButtonState) => ReactNode
  }

/**
 * A button that opens the purchase widget in its click, so that no popup is blocked.
 *
 * `aria-busy` and `data-status` say `pending` until the widget is there. `onClick` runs first; its `preventDefault()`
 * keeps the widget closed. With `preload="intent"` the token is asked for when the pointer or the focus arrives.
 */
export const PurchaseButton: ForwardRefExoticComponent<
  PurchaseButtonProps & RefAttributes<HTMLButtonElement>
> = forwardRef<HTMLButtonElement, PurchaseButtonProps>(function PurchaseButton(
  { children, render, ...props },
  ref,
) {
  const { options, events, attributes } = splitProps(props)
  const slot = useSlot({ options, events })
  const state = buttonState(useSlotState(slot))
  const warm = (): void => slot.warm('intent')
  useEffect(() => slot.warm('eager'))
  const button: PurchaseButtonElementProps = {
    type: 'button',
    ...attributes,
    ref,
    children: typeof children === 'function' ? children(state) : children,
    'aria-busy': state.status === 'pending',
    'data-status': state.status,
    onClick: after(attributes.onClick, slot.open),
    onPointerEnter: after(attributes.onPointerEnter, warm),
    onFocus: after(attributes.onFocus, warm),
  }
  return render ? render(button, state) : <button {...button} />
})

/** Runs `ours` after the handler that the merchant gave, unless that one prevented it. */
function after<Event extends SyntheticEvent>(
  theirs: ((event: Event) => void) | undefined,
  ours: () => unknown,
): (event: Event) => void {
  return (event) => {
    theirs?.(event)
    if (!event.defaultPrevented) ours()
  }
}

function buttonState(widget: WidgetState): PurchaseButtonState {
  switch (widget.status) {
    case 'opening':
    case 'loading':
    case 'confirming':
      return { status: 'pending' }
    case 'closed':
      return widget.result.status === 'error'
        ? { status: 'error', error: widget.result.error }
        : { status: 'idle' }
    case 'idle':
    case 'loaded':
    case 'ready':
    case 'detached':
    case 'destroyed':
      return { status: 'idle' }
  }
}
