// Promise: serve/exactly-once
/**
 * Each shop of examples/any-language delivers each order once: killed at random moments and started again meanwhile, with deliveries that
 * fail, hang, and arrive twice.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnyShop, isMissing, languages, startAnyShop } from '../../../../scripts/anyLanguage.ts'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type Service, startService } from '../support/service.ts'
import { serviceVariables } from '../support/serving.ts'

const orders = proofRuns(100, 3)

/** How long a shopper asks for the same thing. */
const PATIENCE_MS = 60_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Passes a call on to the shop; without `response` nobody hears what the shop says. */
function pass(
  shop: string,
  { url = '', headers }: IncomingMessage,
  body: Buffer,
  response?: ServerResponse,
): void {
  const sent = request(shop + url, { method: 'POST', headers }, (answer) => {
    if (!response) return void answer.resume()
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  sent.on('error', () => response?.destroy()).end(body)
}

/**
 * Stands before the hooks. The first attempt at each delivery is answered 500, the second is made and never answered, the third is made
 * twice at once, and those after it are passed on.
 */
async function trouble(shop: string): Promise<{ url: string; close(): void }> {
  const attempts = new Map<unknown, number>()
  const server = createServer(async (call, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of call) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (call.url !== '/hooks/order') return pass(shop, call, body, response)
    const id = call.headers['webhook-id']
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    if (attempt === 1) return void response.writeHead(500).end()
    if (attempt < 4) pass(shop, call, body)
    if (attempt > 2) pass(shop, call, body, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  }
}

/** Kills the shop again and again, at random moments, and at least once; the promise has how often. */
function killAtRandom(shop: AnyShop): { stop(): Promise<number> } {
  let isOver = false
  const killing = (async () => {
    for (let kills = 0; ; kills++) {
      await sleep(Math.random() * 3_000)
      if (isOver && kills > 0) return kills
      await shop.restart()
    }
  })()
  return {
    stop() {
      isOver = true
      return killing
    },
  }
}

/** Follows a link of the shop as a navigation does. */
async function follow(address: string, cookie: string): Promise<IncomingMessage> {
  const headers = {
    cookie,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-fetch-site': 'same-origin',
  }
  const [response] = (await once(request(address, { headers }).end(), 'response')) as [IncomingMessage]
  response.resume()
  return response
}

/** As a shopper does whose shop is away for a moment: again, until there is what was asked for. */
async function insist<Result>(what: string, ask: () => Promise<Result | undefined>): Promise<Result> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    const result = await ask().catch(() => undefined)
    if (result !== undefined) return result
  }
  throw new Error(`The shop gave no ${what} in ${PATIENCE_MS} ms.`)
}

/** A new shopper signs in, opens the widget by the link and pays. */
async function buy(url: string): Promise<string> {
  const cookie = await insist('session', async () => {
    const { headers } = await follow(`${url}/sign-in`, '')
    return headers['set-cookie']?.at(-1)?.split(';')[0]
  })
  const widget = await insist('widget', async () => {
    const { headers } = await follow(`${url}/api/purchase-widget/launch?product_id=gold-100`, cookie)
    return headers.location
  })
  await service.buy(Object.fromEntries(new URL(widget).searchParams))
  await insist('orders', async () => {
    const { ok } = await fetch(`${url}/api/purchase-widget/orders`, { headers: { cookie } })
    return ok || undefined
  })
  return cookie
}

test.for(languages)(
  'a shop in $name delivers each order once',
  { timeout: proofRuns(3_600_000, 600_000) },
  async (language, { skip }) => {
    skip(isMissing(language), `This machine lacks ${language.program} or ${language.proxy}.`)
    const folder = mkdtempSync(join(tmpdir(), 'exactly-once-'))
    const ways: { close(): void }[] = []
    const between = async (shop: string): Promise<string> => {
      const way = await trouble(shop)
      ways.push(way)
      return way.url
    }
    const shop = await startAnyShop({ language, folder, env: serviceVariables(service), between })
    try {
      const killing = killAtRandom(shop)
      const cookies: string[] = []
      for (let order = 0; order < orders; order++) cookies.push(await buy(shop.url))
      const kills = await killing.stop()
      const delivered = (): Promise<number[]> =>
        Promise.all(
          cookies.map(async (cookie) => {
            const page = await fetch(shop.url, { headers: { cookie } })
            return (await page.text()).split('<li>').length - 1
          }),
        )
      await expect.poll(delivered, { timeout: 300_000 }).toEqual(cookies.map(() => 1))
      recordFigure(
        `${language.name}: orders delivered once, through kills, 500s, hangs and repeats`,
        `${orders} of ${orders}, ${kills} kills`,
      )
    } finally {
      await shop.stop()
      for (const way of ways) way.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
