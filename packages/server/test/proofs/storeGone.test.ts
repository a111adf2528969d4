// Promise: companion/store-gone
/** The store's database goes away in the middle of business, and comes back. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import type { StoreOf } from '../stores/storeProcess.ts'
import { get } from '../support/companion.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { openShelf } from '../support/shelf.ts'
import { openInstance } from '../support/shop.ts'
import { folderOfThisFile, serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const folder = folderOfThisFile()

interface Place {
  of: StoreOf
  /** Takes the database away from everybody; the function brings it back. */
  takeAway(): Promise<() => unknown>
}

async function sqlite(): Promise<Place> {
  const file = join(folder, 'shop.sqlite')
  return {
    of: { kind: 'sqlite', file },
    async takeAway() {
      const other = new DatabaseSync(file, { timeout: 5_000 })
      other.exec('BEGIN IMMEDIATE')
      return () => other.close()
    },
  }
}

async function postgres(): Promise<Place> {
  const server = await startPostgres()
  onTestFinished(() => server.close())
  return {
    of: { kind: 'postgres', url: server.url, schema: 'shop' },
    async takeAway() {
      await server.kill()
      return server.start
    },
  }
}

/** A promise, and what settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const places: [string, () => Promise<Place>][] = [['SQLite', sqlite]]
if (hasPostgres) places.push(['Postgres', postgres])

test.each(places)(
  'on %s: tokens are given all the same, and nothing is delivered twice or lost',
  async (name, place) => {
    const { of, takeAway } = await place()
    const shelf = await openShelf(of)
    onTestFinished(() => shelf.close())
    const [begun, go] = [gate(), gate()]
    const shop = openInstance(service.client(), shelf.store, {
      async onOrder({ order, purchase, complete }) {
        if (order.custom_id === 'in-the-middle') {
          begun.open()
          await go.opened
        }
        const order_id = order.id
        await shelf.deliver({
          call: { order_id, type: order.type },
          delivery: { order_id, state: purchase.state },
          complete,
        })
      },
    })
    const inTheMiddle = await service.buy((await shop.begin('in-the-middle')).params)
    const known = await shop.begin('before')
    expect(await shop.webhook(inTheMiddle.id)).toBe(202)
    await begun.opened

    const bringBack = await takeAway()
    go.open()
    const paidMeanwhile = await service.buy(known.params)
    expect(await shop.webhook(paidMeanwhile.id)).toBeGreaterThanOrEqual(500)
    const unknown = await shop.begin('meanwhile')
    expect(unknown.accessToken).toMatch(/\S/)
    const beganMeanwhile = await service.buy(unknown.params)
    expect(await shop.ask(unknown.purchaseId, 'meanwhile')).toMatchObject({ status: 'none', order: null })
    expect((await shop.companion.fetch(get(`/return/${unknown.purchaseId}`))).status).toBe(200)

    await bringBack()
    // The service tries again, more than once.
    for (const { id } of [paidMeanwhile, beganMeanwhile, paidMeanwhile, inTheMiddle]) {
      await expect.poll(() => shop.webhook(id)).toBe(202)
    }
    // A row that was asked for in the last seconds before the store came back is written then: its order matches. Else it is of no purchase.
    const third = (delivery: string): string =>
      delivery.startsWith(beganMeanwhile.id) ? delivery.replace(/ (none|matched)$/, '') : delivery
    const delivered = async (): Promise<string[]> => {
      const rows = await shelf.query('SELECT order_id, state FROM deliveries')
      return rows.map(({ order_id, state }) => third(`${order_id} ${state}`)).sort()
    }
    const expected = [`${inTheMiddle.id} matched`, `${paidMeanwhile.id} matched`, beganMeanwhile.id].sort()
    await expect.poll(delivered, { timeout: 50_000 }).toEqual(expected)
    expect(await shop.ask(known.purchaseId, 'before')).toMatchObject({ status: 'complete', state: 'matched' })
    await shop.webhook(inTheMiddle.id)
    await shop.companion.reconcile()
    expect(await delivered()).toEqual(expected)
    recordFigure(
      `orders delivered twice or lost while the store was away, ${name}`,
      `0 of ${expected.length}`,
    )
  },
  300_000,
)
