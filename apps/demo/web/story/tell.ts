/** Adds what the page has seen to the story. */
import type { Step } from '../../story.ts'

/** Adds a step to the shopper's story. Survives the page: a redirect may follow at once. */
export function tell(step: Step): void {
  fetch('/api/shop/story', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...step, at: Date.now() }),
    keepalive: true,
  }).catch(() => {
    // The story is an extra; a purchase goes on without it.
  })
}
