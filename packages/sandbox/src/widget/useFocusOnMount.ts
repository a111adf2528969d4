/** Focus for what has just appeared. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Moves the focus to what has just appeared, so that keyboard and screen reader go on from there. */
export function useFocusOnMount<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element | null>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
