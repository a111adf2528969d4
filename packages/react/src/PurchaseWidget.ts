import {
  type CSSProperties,
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
import { attributesOf, type PurchaseWidgetEvents, type SharedOptions } from './options.ts'
import { isOnItsWay, type PurchaseWidgetHandle } from './slot.ts'
import { useSlot } from './usePurchaseWidget.ts'

export type PurchaseWidgetProps = SharedOptions &
  PurchaseWidgetEvents & {
    /** Shown in the widget's place, by the server too, until the widget has loaded. */
    fallback?: ReactNode
    className?: string
    style?: CSSProperties
  }

/**
 * The purchase widget as a part of the page: a frame in a `div`, open for as long as the component is mounted.
 *
 * What opens over the page or elsewhere (`modal`, `popup`, `redirect`) needs a click: that is `<PurchaseButton>` or
 * `usePurchaseWidget`.
 *
 * A real change of an option replaces the frame; inline callbacks and option objects never do.
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
    // In trouble, the loader offers a way out in the frame's place, which must be seen.
    ({ getSnapshot, inTrouble }) => !!fallback && !inTrouble() && isOnItsWay(getSnapshot()),
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
