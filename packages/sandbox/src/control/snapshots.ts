/** Goes back to the start, or to a snapshot taken on the way. */
import { z } from 'zod'
import { failInterruptedPayments } from '../domain/payments.ts'
import { startOver } from '../domain/seed.ts'
import { command, control, type Operation } from '../service/operation.ts'
import { pendingDeliveries } from '../state/deliveries.ts'
import { restoreSnapshot, snapshotsKept, takeSnapshot } from '../state/snapshots.ts'

export const snapshotControls: readonly Operation[] = [
  command({
    name: 'reset',
    summary: 'Everything as at the start; credentials stay',
    method: 'post',
    path: '/_sandbox/reset',
    run(state) {
      startOver(state)
      return 'Everything is as at the start.'
    },
  }),
  control({
    name: 'addSnapshot',
    summary: `Keep everything as it is now, but for keys and tokens; the newest ${snapshotsKept} snapshots are kept`,
    method: 'post',
    path: '/_sandbox/snapshots',
    status: 201,
    response: z.object({ id: z.string() }).meta({ id: 'Snapshot' }),
    run: (state) => ({ id: takeSnapshot(state).id }),
  }),
  command({
    name: 'restoreSnapshot',
    summary: 'Everything as in a snapshot; keys and tokens stay, and no requests are kept',
    method: 'post',
    path: '/_sandbox/snapshots/:id/restore',
    // As after a crash: a payment that ran then has failed, and webhooks that waited then are sent.
    run(state, { path }) {
      restoreSnapshot(state, path.id ?? '')
      for (const { id } of pendingDeliveries(state)) state.onWebhookQueued(id)
      failInterruptedPayments(state)
      return 'Everything is as in the snapshot.'
    },
  }),
]
