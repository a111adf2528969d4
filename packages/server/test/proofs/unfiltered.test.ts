// Promise: client/filtered
/** A filter that is lost on the way would answer with every order of the business: such a request is never sent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { createPurchaseClient } from '../../src/index.ts'
import { settings } from '../support/settings.ts'

/** What a bug in a merchant's code may put where an id belongs. */
const junk = fc.oneof(
  fc.constantFrom(undefined, null, '', ' ', '\t\n', '\u00a0', Number.NaN, 0, false, true),
  fc.constant([]).map((list) => [...list]),
  fc.array(fc.string()),
  fc.object(),
  fc.string({ maxLength: 3 }),
  fc.anything(),
  fc.constant('').map(() => new String('')),
  fc.string({ maxLength: 2 }).map((text) => fickle(text, '')),
  fc.string({ maxLength: 2 }).map((text) => ({ toString: () => text })),
)

/** A proxy that gives one value first and another afterwards. */
const fickle = (first: unknown, later: unknown): object => {
  let reads = 0
  return new Proxy({}, { get: () => (reads++ === 0 ? first : later), has: () => true })
}

/** Whole inputs that lie about their fields. */
const input = fc.oneof(
  fc.record({ order_id: junk, custom_id: junk }, { requiredKeys: [] }),
  fc.record({ order_id: junk, custom_id: junk }).map((fields) => {
    let reads = 0
    return new Proxy(fields, {
      get: (target, key) => (reads++ % 2 === 0 ? Reflect.get(target, key) : undefined),
    })
  }),
  fc.record({ order_id: junk }).map((fields) => Object.create(fields) as object),
  junk,
)

test('filtered order history never asks for everything', async () => {
  let sent = 0
  let unfiltered = 0
  const client = createPurchaseClient({
    ...settings,
    fetch: async (url) => {
      const query = new URL(String(url)).searchParams
      sent++
      if (!query.get('order_id')?.trim() && !query.get('custom_id')?.trim()) unfiltered++
      return Response.json([])
    },
  })
  const runs = proofRuns(10_000, 1_000)
  await fc.assert(
    fc.asyncProperty(input, async (fields) => {
      const spread = typeof fields === 'object' && fields !== null ? fields : { order_id: fields }
      const whole = new Proxy(spread, {
        get: (target, key) => (key === 'accessToken' ? 'token' : Reflect.get(target, key)),
        has: () => true,
        ownKeys: (target) => [...new Set([...Reflect.ownKeys(target), 'accessToken'])],
        getOwnPropertyDescriptor: (target, key) =>
          Reflect.getOwnPropertyDescriptor(target, key) ?? {
            configurable: true,
            enumerable: true,
            value: 'token',
          },
      })
      const call = client.orders.list as (input: unknown) => Promise<unknown>
      await call(whole).catch((error: Error) => {
        if (error.name !== 'InvalidInputError' && !(error instanceof TypeError)) throw error
      })
    }),
    { numRuns: runs },
  )
  recordFigure(
    'unfiltered order history requests sent',
    `${unfiltered} of ${runs} tries (${sent} filtered ones sent)`,
  )
  expect(unfiltered).toBe(0)
  expect(sent).toBeGreaterThan(0)
})
