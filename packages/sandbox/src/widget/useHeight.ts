/** Watches how tall the content of the page is. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Calls back with the height that shows the whole sheet without scrolling, at first and whenever it changes. */
export function useHeight(onHeight: ((height: number) => void) | undefined): RefObject<HTMLElement | null> {
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

/** The sheet itself is at least as tall as the window, so its parts are measured: below or beside each other. */
function contentHeight(parts: readonly Element[]): number {
  const boxes = parts.map((part) => part.getBoundingClientRect())
  const top = Math.min(...boxes.map((box) => box.top))
  const bottom = Math.max(...boxes.map((box) => box.bottom))
  const { paddingTop, paddingBottom } = getComputedStyle(document.body)
  return Math.ceil(bottom - top + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom))
}
