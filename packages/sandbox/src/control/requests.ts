/** Lists and forgets the requests that arrived. */
import { z } from 'zod'
import type { ConsoleRequest } from '../console/protocol.ts'
import { command, control, type Operation } from '../service/operation.ts'

const loggedRequest: z.ZodType<ConsoleRequest> = z
  .object({
    id: z.int(),
    at: z.iso.datetime({ precision: 3 }),
    operation: z.string().nullable().describe('Null for an address that does not exist.'),
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    response: z.unknown().describe('The JSON of the answer, secrets masked.'),
    repeat: z.boolean().describe('The same request got the same answer before.'),
    status: z.int().nullable().describe('Null when the connection was cut instead of an answer.'),
    ms: z.number(),
  })
  .meta({ id: 'LoggedRequest' })

export const requestControls: readonly Operation[] = [
  control({
    name: 'listRequests',
    summary: 'Requests that arrived, newest first, secrets masked; at most 1,000',
    method: 'get',
    path: '/_sandbox/requests',
    response: z.array(loggedRequest),
    run: (state) => state.requests.list(),
  }),
  command({
    name: 'clearRequests',
    summary: 'Forget the requests that arrived',
    method: 'delete',
    path: '/_sandbox/requests',
    run(state) {
      state.requests.clear()
      return 'No requests are kept.'
    },
  }),
]
