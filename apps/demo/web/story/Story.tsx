/** What just happened: the calls, redirects and events of the last purchase as a sequence diagram. */
import { type CSSProperties, type ReactNode, useId } from 'react'
import { type Actor, actors, type TimedStep } from '../../story.ts'
import { useStory } from './useStory.ts'
import './story.css'

const names: Record<Actor, string> = {
  widget: 'Widget',
  page: 'Your page',
  server: 'Your server',
  service: 'Service',
}

export function Story(): ReactNode {
  const steps = useStory()
  const id = useId()
  const start = steps[0]?.at ?? 0
  return (
    <section className="story" aria-labelledby={id}>
      <h2 id={id}>What just happened</h2>
      <div className="story-lanes" aria-hidden="true">
        {actors.map((actor) => (
          <span key={actor}>{names[actor]}</span>
        ))}
      </div>
      {steps.length === 0 ? (
        <p className="story-empty">
          <span>Buy something: each call, redirect and event of your purchase shows up here.</span>
        </p>
      ) : (
        <ol className="story-steps">
          {steps.map((step) => (
            <StepRow key={step.id} step={step} after={step.at - start} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** An arrow from lane to lane. Lanes are two columns wide, so that arrows can end in a lane's middle. */
function StepRow({ step, after }: { step: TimedStep; after: number }): ReactNode {
  const from = actors.indexOf(step.from)
  const to = actors.indexOf(step.to)
  const [first, last] = from < to ? [from, to] : [to, from]
  const direction = from === to ? 'none' : from < to ? 'right' : 'left'
  const lanes: CSSProperties =
    direction === 'none'
      ? { gridColumn: from > 1 ? `1 / ${2 * from + 2}` : `${2 * from + 2} / -1` }
      : { gridColumn: `${2 * first + 2} / ${2 * last + 2}` }
  return (
    <li
      className="step"
      data-direction={direction}
      data-side={from > 1 ? 'before' : 'after'}
      data-tone={step.tone}
    >
      <span className="visually-hidden">
        {direction === 'none' ? names[step.from] : `${names[step.from]} to ${names[step.to]}`}:{' '}
      </span>
      <span className="step-text" style={lanes}>
        <span>{breakable(step.text)}</span>
        <time>{after < 1000 ? `${after} ms` : `${(after / 1000).toFixed(1)} s`}</time>
      </span>
    </li>
  )
}

/** Lets `accessTokens.create` and `/orders/…` break where a reader would break them. */
const breakable = (text: string): string => text.replaceAll(/[./](?=\w)/g, '\u200b$&')
