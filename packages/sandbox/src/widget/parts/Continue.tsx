/** The link back to the merchant. */
import type { JSX } from 'preact'
import type { Destination } from '../leaving.ts'

interface ContinueProps {
  to: Destination
  onLeave: () => void
  children: string
  prominent?: boolean
}

/** A link back to the merchant. The page it opens gets no hold on this one. */
export function Continue({ to, onLeave, children, prominent = false }: ContinueProps): JSX.Element {
  return (
    <a
      class={prominent ? 'button' : 'quiet'}
      href={to.url}
      target={to.target}
      rel="noopener noreferrer"
      onClick={onLeave}
    >
      {children}
    </a>
  )
}
