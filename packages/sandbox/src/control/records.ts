/** The records: orders, purchases without the widget page, and received requests. */
import { z } from 'zod'
import { workingCard } from '../domain/cards.ts'
import { payCheckout, startCheckout } from '../domain/checkout.ts'
import { forbidden } from '../refusal.ts'
import { command, control, type Operation } from '../service/operation.ts'
import { orderRecordSchema, toOrderRecord } from '../service/orderRecord.ts'
import type { LoggedRequest } from '../simulation/requestLog.ts'
import { findOrders, ordersCarrying, requireOrder } from '../state/orders.ts'
import { createToken } from '../state/tokens.ts'

export const orderControls: readonly Operation[] = [
  control({
    name: 'listOrders',
    summary: 'List all orders, newest first',
    method: 'get',
    path: '/_sandbox/orders',
    query: z.object({
      purchase_id: z
        .string()
        .min(8, 'must have at least 8 characters')
        .optional()
        .describe(
          'Only orders with this text in a return address, or in their custom_id, whatever the switches say.',
        ),
    }),
    response: z.array(orderRecordSchema),
    run: (state, { query }) =>
      (query.purchase_id ? ordersCarrying(state, query.purchase_id) : findOrders(state)).map((order) =>
        toOrderRecord(state.switches, order),
      ),
  }),
  // Does in one request what the widget page does, for tests that need an order but no browser.
  control({
    name: 'makePurchase',
    summary: 'Make a purchase without the widget page',
    method: 'post',
    path: '/_sandbox/purchases',
    body: z.strictObject({
      email: z.string().default('shopper@example.com'),
      card_number: z.string().default(workingCard),
      accessToken: z.string().optional().describe('Default: a token created for this purchase.'),
      params: z
        .record(z.string(), z.string().max(4000))
        .default({})
        .describe('Query parameters of the widget page.'),
    }),
    status: 201,
    response: orderRecordSchema,
    async run(state, { body }) {
      const accessToken = body.accessToken ?? createToken(state, '7').token
      const visit = startCheckout(state, { accessToken, params: body.params })
      const year = new Date(state.clock.now()).getUTCFullYear() + 1
      const card = {
        card_number: body.card_number,
        expiry_date: `12/${String(year % 100).padStart(2, '0')}`,
        security_code: '123',
      }
      const paid = await payCheckout(state, visit, { email: body.email, ...card })
      if (paid.step === 'identity')
        throw forbidden('email: a limit would be passed; full KYC is required', 'email')
      return toOrderRecord(state.switches, requireOrder(state, paid.order_id ?? ''))
    },
  }),
]

const loggedRequest: z.ZodType<LoggedRequest> = z
  .object({
    id: z.int(),
    at: z.iso.datetime({ precision: 3 }),
    operation: z.string().nullable().describe('Null for an address that does not exist.'),
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    response: z.unknown().describe('The JSON of the response, with secrets masked.'),
    repeat: z.boolean().describe('Whether an earlier identical request got the same response.'),
    status: z.int().nullable().describe('Null if the connection was closed without a response.'),
    ms: z.number(),
  })
  .meta({ id: 'LoggedRequest' })

export const requestControls: readonly Operation[] = [
  control({
    name: 'listRequests',
    summary: 'List received requests, newest first, with secrets masked; at most 1,000',
    method: 'get',
    path: '/_sandbox/requests',
    response: z.array(loggedRequest),
    run: (state) => state.requests.list(),
  }),
  command({
    name: 'clearRequests',
    summary: 'Clear the request log',
    method: 'delete',
    path: '/_sandbox/requests',
    run(state) {
      state.requests.clear()
      return 'No requests are kept.'
    },
  }),
]
