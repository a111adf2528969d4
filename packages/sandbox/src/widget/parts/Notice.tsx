/** A message that must be noticed. */
import type { ComponentChildren, JSX } from 'preact'
import { useFocusOnMount } from '../useFocusOnMount.ts'

/** What went wrong and what to do about it. */
export function Notice({ title, children }: { title?: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="notice" role="alert" tabIndex={-1} ref={useFocusOnMount<HTMLDivElement>()}>
      {title && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}
