/** Memory of `serve` under load: new shoppers all the time, each with a link, the script, a return page and a status; one of ten pays. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, rounded } from '../bench.ts'
import type { Usage } from './contestant.ts'
import {
  type Contestant,
  navigation,
  type Surroundings,
  startContestant,
  startSurroundings,
} from './start.ts'

const SAMPLE_EVERY_MS = 10_000
const REQUESTS_A_VISIT = 4
const MB = 1_048_576

/** How much the live heap may gain from the load's second quarter to its last, in MB: less is noise. */
const MOST_GAINED = 2

/** The share of requests that a busy machine may let down. */
const MOST_FAILED = 0.01

interface Counts {
  requests: number
  paid: number
  /** By path and status, those that were not answered as they should. */
  failed: Record<string, number>
}

/** @returns whether memory stayed flat, requests were answered, and every paid order delivered. */
export async function loadFor(minutes: number, perSecond: number): Promise<boolean> {
  const surroundings = await startSurroundings()
  const serve = await startContestant('serve', surroundings)
  const atRest = await serve.usage()
  const counts: Counts = { requests: 0, paid: 0, failed: {} }
  const endsAt = Date.now() + minutes * 60_000
  const visiting = keepVisiting(serve, surroundings, { endsAt, perSecond, counts })
  const samples: Usage[] = []
  while (Date.now() < endsAt) {
    await sleep(Math.min(SAMPLE_EVERY_MS, endsAt - Date.now()))
    samples.push(await serve.usage())
  }
  await visiting
  const delivered = await untilDelivered(surroundings, counts.paid)
  await serve.close()
  await surroundings.close()
  return report(minutes, { atRest, samples, counts, delivered })
}

interface Pace {
  endsAt: number
  perSecond: number
  counts: Counts
}

/** Visits begin at the given pace, however long the ones before take. */
async function keepVisiting(
  serve: Contestant,
  surroundings: Surroundings,
  { endsAt, perSecond, counts }: Pace,
): Promise<void> {
  const visits: Promise<void>[] = []
  for (let shopper = 0; Date.now() < endsAt; shopper++) {
    visits.push(visit(serve, surroundings, shopper, counts))
    surroundings.shop.calls.length = 0
    await sleep((REQUESTS_A_VISIT * 1_000) / perSecond)
  }
  await Promise.all(visits)
}

async function visit(
  { address }: Contestant,
  { service }: Surroundings,
  shopper: number,
  counts: Counts,
): Promise<void> {
  const fail = (what: string): void => {
    counts.failed[what] = (counts.failed[what] ?? 0) + 1
  }
  async function ask(path: string, expected: number): Promise<string | undefined> {
    counts.requests++
    const { status, location } = await get(address + path, shopper).catch(
      (): Got => ({ status: 0, location: undefined }),
    )
    if (status !== expected) fail(`${path.replace(/[\w-]{22}/, 'ID')} ${status}`)
    return location
  }
  const location = await ask('/launch?product_id=gold-100', 303)
  if (location === undefined) return
  await ask('/purchase-widget.js', 200)
  const params = Object.fromEntries(new URL(location).searchParams)
  const purchaseId = params.redirect_url?.split('/').pop()
  if (shopper % 10 === 0) {
    const order = await service.buy(params).catch(() => null)
    if (order) counts.paid++
    else fail('the sandbox')
    await ask('/orders', 200)
  }
  await ask(`/return/${purchaseId}`, 200)
  await ask(`/purchases/${purchaseId}`, 200)
}

interface Got {
  status: number | undefined
  location: string | undefined
}

/** On a connection of its own, as most shoppers have. */
function get(address: string, shopper: number): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: navigation(shopper), agent: false }, (response) => {
      const { statusCode: status, headers } = response
      response.on('close', () => resolve({ status, location: headers.location })).resume()
    })
    sent.on('error', reject).end()
  })
}

async function untilDelivered({ shop }: Surroundings, paid: number): Promise<number> {
  for (const until = Date.now() + 60_000; shop.delivered.size < paid && Date.now() < until; ) await sleep(500)
  return shop.delivered.size
}

interface Outcome {
  atRest: Usage
  samples: readonly Usage[]
  counts: Counts
  delivered: number
}

function report(minutes: number, { atRest, samples, counts, delivered }: Outcome): boolean {
  const quarter = Math.ceil(samples.length / 4)
  const row = (some: readonly Usage[]): { 'live heap, MB': number; 'resident, MB': number } => ({
    'live heap, MB': rounded(median(some.map(({ heap }) => heap)) / MB),
    'resident, MB': Math.round(median(some.map(({ resident }) => resident)) / MB),
  })
  const [second, last] = [row(samples.slice(quarter, 2 * quarter)), row(samples.slice(-quarter))]
  const gained = last['live heap, MB'] - second['live heap, MB']
  const failed = Object.values(counts.failed).reduce((sum, times) => sum + times, 0)
  console.log(
    `\n${minutes} minutes: ${counts.requests} requests, ${counts.paid} orders paid, ${delivered} delivered`,
  )
  console.table({ 'at rest': row([atRest]), 'second quarter': second, 'last quarter': last })
  if (failed > 0) console.log('Not answered as they should be:', counts.failed)
  if (gained > MOST_GAINED)
    console.log(`The live heap gained ${rounded(gained)} MB: more than ${MOST_GAINED} MB is growth.`)
  return failed <= counts.requests * MOST_FAILED && delivered === counts.paid && gained <= MOST_GAINED
}
