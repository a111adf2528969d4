/**
 * Each shop of examples/any-language delivers each order once: killed and started again meanwhile, with deliveries that fail, hang, and
 * arrive twice.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMissing, languages, startAnyShop } from '../../../scripts/anyLanguage.ts'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { type Service, startService } from './support/service.ts'
import { serviceVariables } from './support/serving.ts'

const orders = proofRuns(100, 3)

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

/** Stands before the hooks: of four deliveries one is answered 500, one hangs after it was made, one is made twice, and one is as it should. */
async function trouble(shop: string): Promise<{ url: string; close(): void }> {
  let deliveries = 0
  const server = createServer(async (call, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of call) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const kind = call.url === '/hooks/order' ? deliveries++ % 4 : 3
    if (kind === 0) return void response.writeHead(500).end()
    if (kind < 3) pass(shop, call, body)
    if (kind > 1) pass(shop, call, body, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
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

/** A new shopper signs in, opens the widget by the link and pays. */
async function buy(url: string): Promise<string> {
  const cookie = (await follow(`${url}/sign-in`, '')).headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const { location = '' } = (await follow(`${url}/api/purchase-widget/launch?product_id=gold-100`, cookie))
    .headers
  await service.buy(Object.fromEntries(new URL(location).searchParams))
  await fetch(`${url}/api/purchase-widget/orders`, { headers: { cookie } })
  return cookie
}

test.for(languages)(
  'a shop in $name delivers each order once',
  { timeout: 600_000 },
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
      const cookies: string[] = []
      for (let order = 0; order < orders; order++) {
        cookies.push(await buy(shop.url))
        if (Math.random() < 0.3 || order === 0) await shop.restart()
      }
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
        `${orders} of ${orders}`,
      )
    } finally {
      await shop.stop()
      for (const way of ways) way.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
