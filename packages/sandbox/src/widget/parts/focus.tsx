/** Elements that take the focus when they appear. */
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Moves the focus to a newly shown element, so that keyboard and screen reader users continue from there. */
export function useFocusOnMount<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element | null>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}

/** An error, and the recommended action. */
export function Notice({ title, children }: { title?: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="notice" role="alert" tabIndex={-1} ref={useFocusOnMount<HTMLDivElement>()}>
      {title && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}

/** The heading of a step that follows another. */
export function StepHeading({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <h2 class="step-heading" tabIndex={-1} ref={useFocusOnMount<HTMLHeadingElement>()}>
      {children}
    </h2>
  )
}
