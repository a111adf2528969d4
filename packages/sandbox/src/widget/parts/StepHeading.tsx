/** The heading of a step, which takes the focus. */
import type { ComponentChildren, JSX } from 'preact'
import { useFocusOnMount } from '../useFocusOnMount.ts'

/** The heading of a step that follows another. */
export function StepHeading({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <h2 class="step-heading" tabIndex={-1} ref={useFocusOnMount<HTMLHeadingElement>()}>
      {children}
    </h2>
  )
}
