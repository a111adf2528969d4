import {
  type CSSProperties,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import type { PurchaseWidgetEvents, SharedOptions } from './options.ts'
import { attributesOf } from './props.ts'
import type { PurchaseWidgetHandle } from './slot.ts'
import { useSlot } from './useSlot.ts'

export type PurchaseWidgetProps = SharedOptions &
  PurchaseWidgetEvents & {
    /** Shown in the widget's place, also by the server, until its frame is there. */
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
  const [slot, { status }] = useSlot({ ...props, mode: 'iframe', container })
  useEffect(slot.show)
  useImperativeHandle(ref, () => slot, [slot])
  const waiting = fallback && /idle|opening/.test(status)
  return (
    <>
      {waiting && fallback}
      <div {...attributesOf(props)} ref={container} hidden={!!waiting} />
    </>
  )
})
