/** The steps of the shopper's last purchase, as they happen. */
import type { TimedStep } from '../story.ts'

/** Calls the listener with all of them after each; gives back the undo. The stream rests while nobody looks at the page. */
export function followStory(listener: (steps: readonly TimedStep[]) => void): () => void {
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

/** In the order in which they happened. A reconnected stream tells everything again. */
function add(known: readonly TimedStep[], step: TimedStep): readonly TimedStep[] {
  if (known.some(({ id }) => id === step.id)) return known
  return [...known, step].sort((one, other) => one.at - other.at || one.id - other.id)
}

function lastStory(steps: readonly TimedStep[]): readonly TimedStep[] {
  const begin = steps.findLastIndex(({ begins }) => begins)
  return begin < 0 ? [] : steps.slice(begin)
}
