/** The way back to the merchant: when, where to, and only once; a link, and the clock of a page that goes there by itself. */
import type { JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import { announce } from '../messages.ts'
import type { Checkout } from '../protocol.ts'
import { recallVisit, updateVisit } from '../useVisit.ts'

/** Where the merchant wants the person next. */
export type Destination = NonNullable<Checkout['redirect']>

/**
 * How the person gets back to the merchant.
 *
 * - `waiting`: goes by itself in `seconds`.
 * - `here`: goes when the person says so; either they stopped the clock, or they came back, or a new tab was blocked.
 * - `left`: on the way, or open in another tab.
 */
type Leaving = { status: 'waiting'; seconds: number } | { status: 'here' } | { status: 'left' }

/**
 * Sends the person on after `delay` seconds, once. Someone who comes back with the browser's Back button is let be.
 *
 * A new tab cannot be reserved in the click on Pay, since a decline would leave it blank. It is tried when the outcome is known;
 * where the browser blocks that, the page offers a link.
 */
export function useLeaving(
  checkout: Checkout,
  destination: Destination | null,
  delay: number,
): { leaving: Leaving; stay: () => void } {
  const [leaving, setLeaving] = useState<Leaving>(() =>
    destination && !recallVisit()?.left ? { status: 'waiting', seconds: delay } : { status: 'here' },
  )

  useEffect(() => {
    if (leaving.status !== 'waiting' || !destination) return
    if (leaving.seconds <= 0) {
      noteDeparture(checkout)
      setLeaving({ status: goTo(destination) ? 'left' : 'here' })
      return
    }
    const step = Math.min(1, leaving.seconds)
    const timer = setTimeout(
      () => setLeaving({ status: 'waiting', seconds: leaving.seconds - step }),
      step * 1000,
    )
    return () => clearTimeout(timer)
  }, [leaving, checkout, destination])

  // Back from the return page, out of the browser's cache: the page lives on where it was left.
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setLeaving({ status: 'here' })
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])

  return { leaving, stay: () => setLeaving((now) => (now.status === 'waiting' ? { status: 'here' } : now)) }
}

/** The person is on the way: a failed order is now final, and coming back must not send them away again. */
export function noteDeparture(checkout: Checkout): void {
  updateVisit({ left: true })
  if (checkout.step === 'declined') announce(checkout, 'finished')
}

/** Goes there; false when the browser would not open a tab. */
function goTo({ url, target }: Destination): boolean {
  if (target === '_self') {
    location.assign(url)
    return true
  }
  // With `noopener` the answer is null whether or not the tab opened, so the tie is cut by hand before the address is given.
  const tab = window.open('about:blank', '_blank')
  if (!tab) return false
  tab.opener = null
  tab.location.replace(url)
  return true
}

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
