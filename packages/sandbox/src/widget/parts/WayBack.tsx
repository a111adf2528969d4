/** The redirect back to the merchant: automatic and at most once, with a link and a countdown. */
import type { JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import { announce } from '../messages.ts'
import type { Checkout } from '../protocol.ts'
import { recallVisit, updateVisit } from '../useVisit.ts'

/** The merchant's return address. */
export type Destination = NonNullable<Checkout['redirect']>

/**
 * The state of the redirect to the merchant.
 *
 * - `waiting`: redirects automatically in `seconds`.
 * - `here`: redirects only on request; the person stopped the countdown or came back, or a new tab was blocked.
 * - `left`: redirecting, or open in another tab.
 */
type Leaving = { status: 'waiting'; seconds: number } | { status: 'here' } | { status: 'left' }

/**
 * Redirects the person after `delay` seconds, once. A person who returns with the browser's Back button is not redirected again.
 *
 * A new tab cannot be reserved in the click on Pay, since a decline would leave it blank. The page opens it once the outcome is
 * known; if the browser blocks it, the page offers a link.
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

  // After a return from the back/forward cache, the page continues in its previous state.
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setLeaving({ status: 'here' })
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])

  return { leaving, stay: () => setLeaving((now) => (now.status === 'waiting' ? { status: 'here' } : now)) }
}

/** Records the redirect: a failed order is now final, and the page must not redirect again when the person comes back. */
export function noteDeparture(checkout: Checkout): void {
  updateVisit({ left: true })
  if (checkout.step === 'declined') announce(checkout, 'finished')
}

/** Navigates to the destination; returns false when the browser blocks a new tab. */
function goTo({ url, target }: Destination): boolean {
  if (target === '_self') {
    location.assign(url)
    return true
  }
  // With `noopener` the result is null whether or not the tab opened, so this clears `opener` before it navigates the tab.
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

/** A link back to the merchant. The page that it opens gets no reference to this one. */
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
 * Stops when the person interacts with the page (WCAG 2.2.1). The line keeps its space then: a layout shift between press and
 * release of a button would make the click miss.
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
 * Calls back on interaction: a key press, a touch, focus in a field, typing. Interaction inside `apart` does not
 * count.
 */
function useInteraction(onInteraction: () => void, apart: RefObject<HTMLElement | null>): void {
  const latest = useRef(onInteraction)
  latest.current = onInteraction
  // Registered before the first paint, so that interaction counts from the moment the page is visible.
  useLayoutEffect(() => {
    const notice = ({ type, target }: Event): void => {
      if (target instanceof Node && apart.current?.contains(target)) return
      // The page moves the focus itself too, but never into a field.
      if (type !== 'focusin' || target instanceof HTMLInputElement) latest.current()
    }
    const types = ['keydown', 'pointerdown', 'input', 'focusin']
    for (const type of types) document.addEventListener(type, notice)
    return () => {
      for (const type of types) document.removeEventListener(type, notice)
    }
  }, [apart])
}
