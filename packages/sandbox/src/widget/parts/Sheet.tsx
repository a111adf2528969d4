/** The page in the form of a voucher: a stub with the order, a perforation, and the form. */
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import type { Offer } from '../protocol.ts'

interface SheetProps {
  kind?: Offer['kind']
  busy?: boolean
  /** The tear-off part, which shows the order. */
  stub?: ComponentChildren
  /** Receives the content height in CSS pixels, initially and after each change. */
  onHeight?: (height: number) => void
  children?: ComponentChildren
}

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

/** Calls back with the height that shows the whole sheet without scrolling, initially and after each change. */
function useHeight(onHeight: ((height: number) => void) | undefined): RefObject<HTMLElement | null> {
  const sheet = useRef<HTMLElement | null>(null)
  const latest = useRef(onHeight)
  latest.current = onHeight
  useLayoutEffect(() => {
    if (!sheet.current) return
    const parts = [...sheet.current.children]
    let last = 0
    const observer = new ResizeObserver(() => {
      const height = contentHeight(parts)
      if (height !== last) latest.current?.(height)
      last = height
    })
    for (const part of parts) observer.observe(part)
    return () => observer.disconnect()
  }, [])
  return sheet
}

/** Measures the parts, stacked or side by side, because the sheet itself is at least as tall as the window. */
function contentHeight(parts: readonly Element[]): number {
  const boxes = parts.map((part) => part.getBoundingClientRect())
  const top = Math.min(...boxes.map((box) => box.top))
  const bottom = Math.max(...boxes.map((box) => box.bottom))
  const { paddingTop, paddingBottom } = getComputedStyle(document.body)
  return Math.ceil(bottom - top + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom))
}
