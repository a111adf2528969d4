/** Notices that somebody is at the page. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Calls back when the person does something: presses a key, touches the page, goes into a field, types. What they do inside
 * `apart` does not count.
 */
export function useInteraction(onInteraction: () => void, apart: RefObject<HTMLElement | null>): void {
  const latest = useRef(onInteraction)
  latest.current = onInteraction
  // Before the page shows: what somebody does as soon as they see it counts.
  useLayoutEffect(() => {
    const notice = ({ type, target }: Event): void => {
      if (target instanceof Node && apart.current?.contains(target)) return
      // The focus also moves by the page's own doing, but then never into a field.
      if (type !== 'focusin' || target instanceof HTMLInputElement) latest.current()
    }
    const types = ['keydown', 'pointerdown', 'input', 'focusin']
    for (const type of types) document.addEventListener(type, notice)
    return () => {
      for (const type of types) document.removeEventListener(type, notice)
    }
  }, [apart])
}
