/** Takes snapshots of everything, and goes back to one. */
import { z } from 'zod'
import { failInterruptedPayments } from '../domain/payments.ts'
import { defineOperation, type Operation } from '../service/operation.ts'
import { pendingDeliveries } from '../state/deliveries.ts'
import { restoreSnapshot, snapshotsKept, takeSnapshot } from '../state/snapshots.ts'
import { done, doneSchema } from './done.ts'

const snapshotRecord: z.ZodType<{ id: string }> = z.object({ id: z.string() }).meta({ id: 'Snapshot' })

export const addSnapshot: Operation = defineOperation({
  name: 'addSnapshot',
  tag: 'control',
  summary: `Keep everything as it is now, but for keys and tokens; the newest ${snapshotsKept} snapshots are kept`,
  method: 'post',
  path: '/_sandbox/snapshots',
  status: 201,
  response: snapshotRecord,
  run: (state) => ({ id: takeSnapshot(state).id }),
})

/** As after a crash: a payment that ran then has failed, and webhooks that waited then are sent. */
export const restore: Operation = defineOperation({
  name: 'restoreSnapshot',
  tag: 'control',
  summary: 'Everything as in a snapshot; keys and tokens stay, and no requests are kept',
  method: 'post',
  path: '/_sandbox/snapshots/:id/restore',
  response: doneSchema,
  run(state, { path }) {
    restoreSnapshot(state, path.id ?? '')
    for (const { id } of pendingDeliveries(state)) state.onWebhookQueued(id)
    failInterruptedPayments(state)
    return done('Everything is as in the snapshot.')
  },
})
