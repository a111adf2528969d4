/** The sheet of paper that everything stands on. */
import type { ComponentChildren, JSX } from 'preact'
import type { Offer } from '../protocol.ts'

interface SheetProps {
  kind?: Offer['kind']
  busy?: boolean
  /** The part that is torn off: what is being bought. */
  stub?: ComponentChildren
  children?: ComponentChildren
}

/** The page as a voucher: a stub with the order, a perforation, and the part to fill in. */
export function Sheet({ kind, busy = false, stub, children }: SheetProps): JSX.Element {
  return (
    <main class={`sheet ${kind ?? (busy ? 'blank' : 'plain')}`} aria-busy={busy}>
      {stub && <div class="stub">{stub}</div>}
      <div class="body">
        {busy && (
          <p class="waiting" role="status">
            Preparing your checkout…
          </p>
        )}
        {children}
      </div>
    </main>
  )
}
