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
import { splitProps } from './props.ts'
import type { PurchaseWidgetHandle } from './slot.ts'
import { useSlot, useSlotState } from './useSlot.ts'

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
  { fallback, className, style, ...props },
  ref,
) {
  const container = useRef<HTMLDivElement>(null)
  const { options, events } = splitProps(props)
  const slot = useSlot({ options: { ...options, mode: 'iframe', container }, events })
  const { status } = useSlotState(slot)
  useEffect(() => slot.show())
  useImperativeHandle(ref, () => slot, [slot])
  const waiting = status === 'idle' || status === 'opening'
  return (
    <div ref={container} className={className} style={style}>
      {/* A fragment, because React would write a lone text as the content of the div, over the loader's frame. */}
      {waiting && <>{fallback}</>}
    </div>
  )
})
