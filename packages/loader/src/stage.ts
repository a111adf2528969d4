/** The second stage, which a page loads when it is idle, and at the latest in the first click. */
import { delay } from './delay.ts'

export type Rest = typeof import('./rest.ts')

export interface Stage {
  /** Undefined until it has loaded. */
  now(): Rest | undefined
  /** Resolves with undefined if it can't be loaded; the next call tries again. */
  load(): Promise<Rest | undefined>
}

/** How long the second stage may take: a request may hang, and the next click asks under another address. */
const LOADING_TIMEOUT_MS = 15_000

/** Why an opening has failed without the second stage. */
export const missing = 'The second file of the loader could not be loaded.'

let rest: Rest | undefined
let loading: Promise<Rest | undefined> | undefined
let tries = 0

async function load(): Promise<Rest | undefined> {
  try {
    // Firefox never again requests a module that it could not load (M9 of docs/measurements.md).
    const loaded = await Promise.race([
      tries++ % 2 ? import('./restAgain.ts') : import('./rest.ts'),
      delay(LOADING_TIMEOUT_MS),
    ])
    // The shop's server may answer this address with something other than the loader.
    if (loaded?.createSession) rest = loaded
  } catch {}
  if (!rest) loading = undefined
  return rest
}

export const secondStage: Stage = {
  now: () => rest,
  load() {
    loading ??= load()
    return loading
  },
}
