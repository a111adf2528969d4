/** Something that can be done in a view, folded away: the rows are what a visitor has come for. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

interface FoldProps {
  title: string
  /** Whether it is open at first, as where there are no rows yet. */
  open: boolean
  children: ComponentChildren
}

export function Fold({ title, open, children }: FoldProps): JSX.Element {
  // The first row must not close what somebody is filling in.
  const [atFirst] = useState(open)
  return (
    <details class="fold" open={atFirst}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
