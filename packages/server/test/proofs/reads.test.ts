// Promise: known/pace
/** How often the service is read while a thousand widgets are open. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { memoryStore, type TokenGrant } from '../../src/index.ts'
import { READS_AT_ONCE, READS_PER_SECOND } from '../../src/reads/turns.ts'
import { companionOf, get, post } from '../support/companion.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const WIDGETS = 1_000
/** In one second: what has been left, and what comes anew. */
const BURST = READS_AT_ONCE + READS_PER_SECOND

test('a thousand open widgets read the service at a bounded rate', { timeout: 900_000 }, async () => {
  fakeTimers()
  vi.spyOn(performance, 'now').mockImplementation(Date.now)
  const minutes = proofRuns(10, 2)
  const startedAt = Date.now()
  const reads: number[] = []
  const store = memoryStore()
  // Another instance looks for orders that were missed.
  store.purchases.unsettled = async () => []
  const client = service.client({
    async fetch(input, init) {
      if (!String(input).includes('order_history')) return fetch(input, init)
      reads.push(Date.now())
      return Response.json([])
    },
  })
  const companion = companionOf(client, {
    store,
    tokens: { get: async () => ({ accessToken: 'a-token', expiresAt: null }) },
    rateLimit: { perShopper: 1e9 },
  })

  // Opened within the first minute; each asks after 15 and 30 s, then once a minute, as the loader does.
  const asks: { at: number; widget: number; id: string }[] = []
  for (let widget = 0; widget < WIDGETS; widget++) {
    const openedAt = startedAt + (widget / WIDGETS) * 60_000
    const response = await companion.fetch(post('/token', {}, `shopper-${widget}`))
    const { purchaseId: id } = (await response.json()) as TokenGrant
    const after = [15_000, 30_000, ...Array.from({ length: minutes }, (_, minute) => (minute + 1) * 60_000)]
    asks.push(...after.map((ms) => ({ at: openedAt + ms, widget, id })))
  }
  const end = startedAt + minutes * 60_000
  const inTime = asks.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
  const answers: Promise<Response>[] = []
  for (const { at, widget, id } of inTime) {
    await vi.advanceTimersByTimeAsync(at - Date.now())
    answers.push(companion.fetch(get(`/purchases/${id}`, `shopper-${widget}`)))
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]))

  const perSecond = new Map<number, number>()
  for (const at of reads) {
    const second = Math.floor((at - startedAt) / 1_000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  const most = Math.max(...perSecond.values())
  expect(most).toBeLessThanOrEqual(BURST)
  expect(reads.length).toBeLessThanOrEqual(BURST + READS_PER_SECOND * minutes * 60)
  // The bound is reached, so that it is one.
  expect(reads.length).toBeLessThan(inTime.length)
  recordFigure(
    `reads of the service a second, ${WIDGETS} open widgets, ${minutes} minutes, ${inTime.length} asks`,
    `${(reads.length / (minutes * 60)).toFixed(1)}, at most ${most}`,
  )
})
