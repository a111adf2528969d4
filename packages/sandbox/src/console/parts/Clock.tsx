/** The sandbox’s time, and buttons that advance it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ViewProps } from '../useConsole.ts'

const day = 24 * 60 * 60
const steps = [
  ['+1 hour', 60 * 60],
  ['+1 day', day],
  ['+1 month', 31 * day],
  ['+1 year', 366 * day],
] as const

/** Shows the sandbox's time, with controls to advance it and to reset the sandbox. */
export function Clock({ state, act }: Omit<ViewProps, 'find'>): JSX.Element {
  const [date, time] = state.now.split('T')
  return (
    <section class="clock" aria-label="Clock">
      <p class="now">
        <time dateTime={state.now}>
          {date} <span>{time?.slice(0, 8)} UTC</span>
        </time>
        <span class="offset">{offsetInWords(state.clock.offset_ms)}</span>
      </p>
      <div class="ways">
        {steps.map(([label, advanceSeconds]) => (
          <button
            type="button"
            class="quiet"
            key={label}
            onClick={() => act('POST', 'clock', { advanceSeconds })}
          >
            {label}
          </button>
        ))}
        <Reset act={act} />
      </div>
    </section>
  )
}

/** Asks for confirmation: a reset deletes every order. */
function Reset({ act }: Pick<ViewProps, 'act'>): JSX.Element {
  const [asking, setAsking] = useState(false)
  return (
    <button
      type="button"
      class={asking ? 'quiet danger' : 'quiet'}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!asking)
        if (asking) void act('POST', 'reset')
      }}
    >
      {asking ? 'Forget everything?' : 'Reset'}
    </button>
  )
}

function offsetInWords(milliseconds: number): string {
  const days = Math.floor(milliseconds / 1000 / day)
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ahead`
  const hours = Math.round(milliseconds / 1000 / 3600)
  return hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'} ahead` : ''
}
