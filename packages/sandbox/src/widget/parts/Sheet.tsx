/** The sheet of paper that everything stands on. */
import type { ComponentChildren, JSX } from 'preact'
import { useLanguage } from '../language.ts'
import type { Offer } from '../protocol.ts'
import { useHeight } from '../useHeight.ts'

interface SheetProps {
  kind?: Offer['kind']
  busy?: boolean
  /** The part that is torn off: what is being bought. */
  stub?: ComponentChildren
  /** Gets the height of what the page shows, in CSS pixels, at first and after each change. */
  onHeight?: (height: number) => void
  children?: ComponentChildren
}

/** The page as a voucher: a stub with the order, a perforation, and the part to fill in. */
export function Sheet({ kind, busy = false, stub, onHeight, children }: SheetProps): JSX.Element {
  const { words } = useLanguage()
  const sheet = useHeight(onHeight)
  return (
    <main class={`sheet ${kind ?? (busy ? 'blank' : 'plain')}`} aria-busy={busy} ref={sheet}>
      {stub && <div class="stub">{stub}</div>}
      <div class="body">
        {busy && (
          <p class="waiting" role="status">
            {words.wait}
          </p>
        )}
        {children}
      </div>
    </main>
  )
}
