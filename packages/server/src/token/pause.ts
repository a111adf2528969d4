/** Leaves the service alone for a while after it failed, so that callers without a token do not all ask it again. */
import { ApiError } from '../errors.ts'
import { LONGEST_PAUSE, type SharedRefusal } from './sharedRefusal.ts'

export interface Pause {
  /** Throws the failure of a moment ago, if there was one here. */
  check(): void
  /** The same for what another instance was refused: its key is ours. A failure of its network need not be ours. */
  checkOthers(): Promise<void>
  /** Begins with this failure, and tells the other instances when it is a refusal. */
  begin(error: unknown): Promise<void>
}

interface PauseOptions {
  refusals: SharedRefusal
  now: () => number
}

/** Any length between this and the longest, at random. */
const SHORTEST_PAUSE = 2_000

export function createPause({ refusals, now }: PauseOptions): Pause {
  let failure: { error: unknown; at: number; pauseMs: number } | null = null

  return {
    check() {
      if (!failure) return
      const passed = now() - failure.at
      // Less than nothing: the clock was set back.
      if (passed >= 0 && passed < failure.pauseMs) throw failure.error
    },
    async checkOthers() {
      const refusal = await refusals.read()
      if (!refusal) return
      failure = { ...refusal, at: now() }
      throw refusal.error
    },
    async begin(error) {
      const pauseMs = SHORTEST_PAUSE + Math.random() * (LONGEST_PAUSE - SHORTEST_PAUSE)
      failure = { error, at: now(), pauseMs }
      // A store that is gone cannot tell them: then each instance asks for itself.
      if (error instanceof ApiError) await refusals.write({ error, pauseMs }).catch(() => {})
    },
  }
}
