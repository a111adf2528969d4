/** The other side of U16: ten requests of one operation in a second, real time. */
import type { Switches } from '../simulation/switches.ts'

const perSecond = 10

/** Gives a function that counts a request and gives back its refusal when it is one too many. */
export function createRateLimit(): (mode: Switches['rateLimit']) => Response | undefined {
  let second = 0
  let requests = 0
  return (mode) => {
    if (mode === 'none') return undefined
    const now = Math.floor(performance.now() / 1000)
    requests = now === second ? requests + 1 : 1
    second = now
    return requests > perSecond ? tooMany(mode) : undefined
  }
}

const tooMany = (mode: 'retryAfter' | 'bare'): Response =>
  Response.json(
    { error: true, message: `More than ${perSecond} requests in a second.` },
    { status: 429, headers: mode === 'retryAfter' ? { 'Retry-After': '1' } : {} },
  )
