/** The way back to the merchant: a link, and the clock of a page that goes there by itself. */
import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import type { Destination, Leaving } from '../leaving.ts'

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

/**
 * Stops when the person shows that they are still here (WCAG 2.2.1). The line keeps its place then: a page that moves between
 * press and release of a button makes the click miss.
 */
export function Countdown({ leaving, stay }: { leaving: Leaving; stay: () => void }): JSX.Element {
  const { words, fill } = useLanguage()
  const line = useRef<HTMLParagraphElement | null>(null)
  useInteraction(stay, line)
  const stayHere = (): void => {
    stay()
    line.current?.focus()
  }
  return (
    <p class="countdown" tabIndex={-1} ref={line}>
      {leaving.status === 'waiting' && (
        <>
          <span role="timer">{fill(words.backIn, { seconds: leaving.seconds })}</span>
          <button type="button" class="plain-button" onClick={stayHere}>
            {words.stay}
          </button>
        </>
      )}
    </p>
  )
}

/**
 * Calls back when the person does something: presses a key, touches the page, goes into a field, types. What they do inside
 * `apart` does not count.
 */
function useInteraction(onInteraction: () => void, apart: RefObject<HTMLElement | null>): void {
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
