import {
  createElement,
  type ForwardRefExoticComponent,
  Fragment,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import {
  attributesOf,
  type ElementAttributes,
  type PurchaseWidgetEvents,
  type SharedOptions,
} from './options.ts'
import { isNotYetVisible, type PurchaseWidgetHandle } from './slot.ts'
import { useSlot } from './usePurchaseWidget.ts'

export type PurchaseWidgetProps = SharedOptions &
  PurchaseWidgetEvents &
  ElementAttributes & {
    /** Shown in the widget's place until the widget has loaded, in server rendering too. */
    fallback?: ReactNode
  }

/**
 * The purchase widget as a part of the page: a frame in a `div`, open for as long as the component is mounted.
 *
 * The other modes (`modal`, `popup`, `redirect`) need a click: use `<PurchaseButton>` or
 * `usePurchaseWidget`.
 *
 * A changed option value replaces the frame; inline callbacks and option objects never do.
 */
export const PurchaseWidget: ForwardRefExoticComponent<
  PurchaseWidgetProps & RefAttributes<PurchaseWidgetHandle>
> = forwardRef<PurchaseWidgetHandle, PurchaseWidgetProps>(function PurchaseWidget(
  { fallback, ...props },
  ref,
) {
  const container = useRef<HTMLDivElement>(null)
  const [slot, waits] = useSlot(
    { ...props, mode: 'iframe', container },
    // After an error, the loader offers recovery actions in the frame's place, which must be visible.
    ({ getSnapshot, hasError }) => !!fallback && !hasError() && isNotYetVisible(getSnapshot()),
  )
  useEffect(slot.show)
  useImperativeHandle(ref, () => slot, [slot])
  return createElement(
    Fragment,
    null,
    waits && fallback,
    createElement('div', { ...attributesOf(props), ref: container, hidden: waits }),
  )
})
