/** Reads and advances the sandbox’s clock, resets the sandbox, and takes and restores snapshots. */
import { z } from 'zod'
import { failInterruptedPayments } from '../domain/payments.ts'
import { startOver } from '../domain/seed.ts'
import { settleSubscriptions } from '../domain/subscriptions.ts'
import { invalid } from '../refusal.ts'
import { command, control, type Operation } from '../service/operation.ts'
import { writeSetting } from '../state/database.ts'
import { pendingDeliveries } from '../state/deliveries.ts'
import { restoreSnapshot, snapshotsKept, takeSnapshot } from '../state/snapshots.ts'
import type { State } from '../state/state.ts'

interface ClockReading {
  now: string
  offset_ms: number
}

const clockReading: z.ZodType<ClockReading> = z
  .object({
    now: z.iso.datetime({ precision: 3 }),
    offset_ms: z.number().describe('Milliseconds ahead of the system clock.'),
  })
  .meta({ id: 'Clock' })

const read = (state: State): ClockReading => ({
  now: new Date(state.clock.now()).toISOString(),
  offset_ms: state.clock.offset(),
})

const theEnd = Date.UTC(2200, 0)
const tenYears = 10 * 366 * 24 * 60 * 60

export const clockControls: readonly Operation[] = [
  control({
    name: 'getClock',
    summary: 'Get the sandbox’s time',
    method: 'get',
    path: '/_sandbox/clock',
    response: clockReading,
    run: read,
  }),
  // Time only moves forwards: only a reset or a restore can undo what has happened.
  control({
    name: 'moveClock',
    summary: 'Advance the clock: tokens expire, subscriptions renew',
    method: 'post',
    path: '/_sandbox/clock',
    body: z.strictObject({
      advanceSeconds: z.number().min(0).max(tenYears, 'must be at most ten years').optional(),
      now: z.iso.datetime({ offset: true }).optional().describe('Or the time to advance to.'),
    }),
    response: clockReading,
    run(state, { body }) {
      const ahead = millisecondsToAdvance(body, state.clock.now())
      if (state.clock.now() + ahead > theEnd)
        throw invalid('advanceSeconds, now', 'must stay before the year 2200')
      state.clock.advance(ahead)
      writeSetting(state.db, 'clockOffset', state.clock.offset())
      settleSubscriptions(state)
      return read(state)
    },
  }),
]

function millisecondsToAdvance(
  { advanceSeconds, now }: { advanceSeconds?: number | undefined; now?: string | undefined },
  current: number,
): number {
  if (advanceSeconds !== undefined) return Math.round(advanceSeconds * 1000)
  if (now === undefined) throw invalid('advanceSeconds, now', 'one of them is required')
  const ahead = Date.parse(now) - current
  if (ahead < 0) throw invalid('now', 'is in the past; the clock only goes forwards')
  if (ahead > tenYears * 1000) throw invalid('now', 'is more than ten years ahead')
  return ahead
}

export const snapshotControls: readonly Operation[] = [
  command({
    name: 'reset',
    summary: 'Reset everything to the initial state, except for the credentials',
    method: 'post',
    path: '/_sandbox/reset',
    run(state) {
      startOver(state)
      return 'Everything is as at the start.'
    },
  }),
  control({
    name: 'addSnapshot',
    summary: `Take a snapshot of everything except keys and tokens; the newest ${snapshotsKept} snapshots are kept`,
    method: 'post',
    path: '/_sandbox/snapshots',
    status: 201,
    response: z.object({ id: z.string() }).meta({ id: 'Snapshot' }),
    run: (state) => ({ id: takeSnapshot(state).id }),
  }),
  command({
    name: 'restoreSnapshot',
    summary: 'Restore a snapshot; keys and tokens stay, and the request log is cleared',
    method: 'post',
    path: '/_sandbox/snapshots/:id/restore',
    // As after a crash: payments in progress at the snapshot have failed, and webhooks pending at the snapshot are sent.
    run(state, { path }) {
      restoreSnapshot(state, path.id ?? '')
      for (const { id } of pendingDeliveries(state)) state.onWebhookQueued(id)
      failInterruptedPayments(state)
      return 'Everything is as in the snapshot.'
    },
  }),
]
