/** Waits, but no longer than the sandbox runs. */
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '../refusal.ts'

/**
 * Waits.
 *
 * @throws Refusal (503) when the sandbox closes meanwhile: it keeps nobody waiting.
 */
export async function pause(milliseconds: number, closing: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal: closing })
  } catch {
    throw new Refusal(503, 'The sandbox is closing.')
  }
}
