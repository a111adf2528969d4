/** The steps of the shopper's last purchase, as they happen. */
import { useEffect, useState } from 'react'
import type { TimedStep } from '../../story.ts'

/** The steps of the shopper's last purchase, as they happen. The stream rests while nobody looks at the page. */
export function useStory(): readonly TimedStep[] {
  const [steps, setSteps] = useState<readonly TimedStep[]>([])

  useEffect(() => {
    let stream: EventSource | null = null
    function followWhileVisible(): void {
      if (document.visibilityState === 'hidden') {
        stream?.close()
        stream = null
      } else if (!stream) {
        stream = new EventSource('/api/shop/story')
        stream.onmessage = ({ data }) => {
          const step: TimedStep = JSON.parse(data)
          setSteps((known) => add(known, step))
        }
      }
    }
    followWhileVisible()
    document.addEventListener('visibilitychange', followWhileVisible)
    return () => {
      document.removeEventListener('visibilitychange', followWhileVisible)
      stream?.close()
    }
  }, [])

  return lastStory(steps)
}

/** In the order in which they happened. A reconnected stream tells everything again. */
function add(known: readonly TimedStep[], step: TimedStep): readonly TimedStep[] {
  if (known.some(({ id }) => id === step.id)) return known
  return [...known, step].sort((one, other) => one.at - other.at || one.id - other.id)
}

function lastStory(steps: readonly TimedStep[]): readonly TimedStep[] {
  return steps.slice(
    Math.max(
      0,
      steps.findLastIndex(({ begins }) => begins),
    ),
  )
}
