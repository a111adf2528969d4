/** Says when the page goes back to the shop by itself, and lets the person stay. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import type { Leaving } from '../leaving.ts'
import { useInteraction } from '../useInteraction.ts'

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
