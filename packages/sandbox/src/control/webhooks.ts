/** Registers webhook targets, lists and repeats deliveries, and forges webhooks. */
import { z } from 'zod'
import { invalid, notFound } from '../refusal.ts'
import { command, control, type Operation } from '../service/operation.ts'
import {
  addDelivery,
  addTarget,
  findDelivery,
  listDeliveries,
  listTargets,
  removeTarget,
} from '../state/deliveries.ts'
import type { DeliveryRow, TargetRow } from '../state/rows.ts'
import { checkWebhookUrl } from '../webhooks/sender.ts'

const target: z.ZodType<TargetRow> = z
  .object({ id: z.string(), url: z.string() })
  .meta({ id: 'WebhookTarget' })

/** The delivery of one webhook to one target, pending or done. */
export interface Delivery extends Omit<DeliveryRow, 'created_at' | 'tried_at' | 'payload'> {
  at: string
  tried_at: string | null
  payload: unknown
}

const deliverySchema: z.ZodType<Delivery> = z
  .object({
    id: z.string(),
    event: z.string(),
    order_id: z.string(),
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    at: z.iso.datetime({ precision: 3 }),
    answer: z.string(),
    response: z.string().describe('The start of the last response’s body.'),
    tried_at: z.iso.datetime({ precision: 3 }).nullable(),
    payload: z.unknown(),
  })
  .meta({ id: 'WebhookDelivery' })

export const toDelivery = ({ created_at, tried_at, payload, ...row }: DeliveryRow): Delivery => ({
  ...row,
  at: new Date(created_at).toISOString(),
  tried_at: tried_at === null ? null : new Date(tried_at).toISOString(),
  payload: JSON.parse(payload),
})

const webhookOverview: z.ZodType<{ targets: TargetRow[]; deliveries: Delivery[] }> = z.object({
  targets: z.array(target),
  deliveries: z.array(deliverySchema).describe('Newest first, at most 200.'),
})

const httpUrl = z
  .string()
  .max(2000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address')

export const webhookControls: readonly Operation[] = [
  control({
    name: 'getWebhooks',
    summary: 'List webhook targets and deliveries',
    method: 'get',
    path: '/_sandbox/webhooks',
    response: webhookOverview,
    run: (state) => ({ targets: listTargets(state), deliveries: listDeliveries(state, 200).map(toDelivery) }),
  }),
  control({
    name: 'addWebhook',
    summary: 'Register a webhook target',
    method: 'post',
    path: '/_sandbox/webhooks',
    body: z.strictObject({ url: httpUrl }),
    status: 201,
    response: target,
    run(state, { body }) {
      checkWebhookUrl(state, body.url)
      return addTarget(state, body.url)
    },
  }),
  command({
    name: 'removeWebhook',
    summary: 'Remove a webhook target',
    method: 'delete',
    path: '/_sandbox/webhooks/:id',
    run(state, { path }) {
      if (!removeTarget(state, path.id ?? '')) throw notFound('There is no such webhook target.')
      return 'The target is gone.'
    },
  }),
  control({
    name: 'redeliverWebhook',
    summary: 'Send a webhook again, unchanged',
    method: 'post',
    path: '/_sandbox/webhooks/deliveries/:id/redeliver',
    status: 202,
    response: deliverySchema,
    run(state, { path }) {
      const delivery = findDelivery(state, path.id ?? '')
      if (!delivery) throw notFound('There is no such delivery.')
      const { event, order_id, url, payload } = delivery
      checkWebhookUrl(state, url)
      return toDelivery(addDelivery(state, { event, order_id, url, payload: JSON.parse(payload) }))
    },
  }),
  // Merchants cannot distinguish it from a genuine webhook: the interface shows no signature (U13).
  control({
    name: 'forgeWebhook',
    summary: 'Send any JSON as if it were a webhook',
    method: 'post',
    path: '/_sandbox/webhooks/forge',
    body: z.strictObject({
      url: httpUrl.optional().describe('Default: every target.'),
      payload: z.json().meta({ id: 'Json' }),
    }),
    status: 202,
    response: z.array(deliverySchema),
    run(state, { body }) {
      if (body.url) checkWebhookUrl(state, body.url)
      const urls = body.url ? [body.url] : listTargets(state).map(({ url }) => url)
      if (urls.length === 0) throw invalid('url', 'is required while no target is registered')
      return urls.map((url) =>
        toDelivery(addDelivery(state, { event: 'forged', order_id: '', url, payload: body.payload })),
      )
    },
  }),
]
