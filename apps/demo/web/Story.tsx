/** The calls, redirects and events of the last purchase as a sequence diagram, and the page's own steps. */
import type { PurchaseResult, WidgetState } from '@purchase-widget/loader'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Actor, actors, type Step, type TimedStep } from '../exchange.ts'
import { describeResult } from './Outcome.tsx'

const names: Record<Actor, string> = { widget: 'Widget', page: 'Page', server: 'Server', service: 'Service' }

export function Story(): ReactNode {
  const list = useRef<HTMLOListElement>(null)
  const [steps, setSteps] = useState<readonly TimedStep[]>([])
  const id = useId()
  useEffect(() => followStory(setSteps), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls with each step.
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight)
  }, [steps])
  const start = steps[0]?.at ?? 0
  return (
    <section className="story" aria-labelledby={id}>
      <h2 id={id}>What happens</h2>
      <div className="story-names" aria-hidden="true">
        {actors.map((actor) => (
          <span key={actor}>{names[actor]}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard has to be able to scroll it. */}
      <ol className="story-steps" ref={list} tabIndex={0} aria-labelledby={id}>
        {steps.map((step) => (
          <StepRow key={step.id} step={step} start={start} />
        ))}
      </ol>
      <p className="story-empty">
        Buy something: every call, redirect and event shows up here as it happens.
      </p>
    </section>
  )
}

/** An arrow between lanes or a dot on one, with a description. */
function StepRow({ step, start }: { step: TimedStep; start: number }): ReactNode {
  const { from, to, text, call, tone, at } = step
  const ends = [actors.indexOf(from), actors.indexOf(to)]
  const [first, last] = [Math.min(...ends), Math.max(...ends)]
  const direction = from === to ? 'none' : first === ends[0] ? 'forward' : 'back'
  return (
    <li className="step" data-direction={direction} data-tone={tone}>
      <span className="step-lanes">
        <span
          className="step-arrow"
          aria-hidden="true"
          style={{ gridColumn: `${first + 1} / ${last + 2}` }}
        />
      </span>
      <span className="step-words">
        <span className="visually-hidden">
          {from === to ? names[from] : `${names[from]} to ${names[to]}`}:{' '}
        </span>
        <span className="step-text">{text}</span> {call && <code>{breakable(call)}</code>}
      </span>
      <time>{timeOf(at - start)}</time>
    </li>
  )
}

const timeOf = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`

/** Allows line breaks in `accessTokens.create` and `/orders/…` at natural points. */
const breakable = (text: string): string => text.replaceAll(/[./](?=[a-z])/g, '\u200b$&')

/** Calls the listener with all steps after each new one; returns the unsubscribe function. The stream pauses while the page is hidden. */
function followStory(listener: (steps: readonly TimedStep[]) => void): () => void {
  let stream: EventSource | null = null
  let known: readonly TimedStep[] = []

  function followWhileVisible(): void {
    if (document.visibilityState === 'hidden') {
      stream?.close()
      stream = null
    } else if (!stream) {
      stream = new EventSource('/api/shop/story')
      stream.onmessage = ({ data }) => {
        known = add(known, JSON.parse(data))
        listener(lastStory(known))
      }
    }
  }

  followWhileVisible()
  document.addEventListener('visibilitychange', followWhileVisible)
  return () => {
    document.removeEventListener('visibilitychange', followWhileVisible)
    stream?.close()
  }
}

/** Keeps chronological order. A reconnected stream sends everything again. */
function add(known: readonly TimedStep[], step: TimedStep): readonly TimedStep[] {
  if (known.some(({ id }) => id === step.id)) return known
  return [...known, step].sort((one, other) => one.at - other.at || one.id - other.id)
}

function lastStory(steps: readonly TimedStep[]): readonly TimedStep[] {
  const begin = steps.findLastIndex(({ begins }) => begins)
  return begin < 0 ? [] : steps.slice(begin)
}

export function tellState(state: WidgetState): void {
  const step = stepOf(state)
  if (step) tell(step)
}

/** Undefined for states that other steps cover. */
function stepOf(state: WidgetState): Step | undefined {
  switch (state.status) {
    case 'loading':
      return { from: 'page', to: 'widget', text: 'Opens the widget', call: state.mode }
    case 'loaded':
      return { from: 'widget', to: 'page', text: 'Has loaded', call: 'load' }
    case 'ready':
      return { from: 'widget', to: 'page', text: 'Can be used', call: 'ready' }
    case 'detached':
      return { from: 'page', to: 'page', text: 'The widget is in another window', call: 'detached' }
    case 'confirming':
      return { from: 'page', to: 'page', text: 'Waits for the server’s word', call: 'confirming' }
    default:
      return undefined
  }
}

export function tellResult(result: PurchaseResult): void {
  const verified = 'verified' in result ? (result.verified ? ', verified' : ', not verified') : ''
  const { title, tone } = describeResult(result)
  tell({
    from: 'page',
    to: 'page',
    text: title,
    call: `result: ${result.status}${verified}`,
    ...(tone !== 'neutral' && { tone }),
  })
}

/** The request outlives the page, because a redirect may follow immediately. */
export function tell(step: Step): void {
  fetch('/api/shop/story', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...step, at: Date.now() }),
    keepalive: true,
  }).catch(() => {
    // The story is optional; a purchase continues without it.
  })
}
