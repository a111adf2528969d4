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

  return steps
}

/** A reconnected stream tells everything again, hence the check; a new story replaces the one before. */
function add(known: readonly TimedStep[], step: TimedStep): readonly TimedStep[] {
  if (step.id <= (known.at(-1)?.id ?? 0)) return known
  return step.begins ? [step] : [...known, step]
}
