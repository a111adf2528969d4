// Promise: serve/shops
/** The shops and snippets of examples/any-language accept only `serve`, and deliver each order once despite kills, failures, hangs and duplicates. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyShop, isMissing, languages, start, startAnyShop } from '../../../../scripts/anyLanguage.ts'

import { freePort, type Running } from '../../../../scripts/processes.ts'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'

import { createCallHook } from '../../src/serve/hook.ts'
import { readCreatePurchaseAnswer } from '../../src/serve/hooks.ts'
import { hookSecret, signed } from '../support/hookShop.ts'
import { type Service, startService } from '../support/service.ts'
import { serviceVariables } from '../support/serving.ts'

const examples = join(import.meta.dirname, '../../../../examples/any-language')
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

const text = JSON.stringify({
  order: { id: 'order-1', type: 'order_complete', custom_id: 'shopper-1', product_id: 'gold-100' },
  purchase: { id: null, state: 'matched', differences: [], params: {}, reference: null, begunAt: null },
})

/** [what is wrong with a call, its headers, signed at the time of the call: shops in other languages start slowly] */
const forged: [string, () => Record<string, string>][] = [
  ['that is not signed', () => ({})],
  ['without a signature', () => ({ ...signed('order_1', text), 'webhook-signature': '' })],
  ['of six minutes ago', () => signed('order_1', text, minutesAgo(6))],
  ['of six minutes from now', () => signed('order_1', text, minutesAgo(-6))],
  ['that another host signed', () => signed('order_1', text, new Date(), otherSecret)],
  ['with another body', () => signed('order_1', `${text} `)],
  ['with another id', () => ({ ...signed('order_1', text), 'webhook-id': 'order_2' })],
  ['whose time is no number', () => ({ ...signed('order_1', text), 'webhook-timestamp': 'now' })],
]

const post = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(url, { method: 'POST', body: text, headers })).status

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'serve-shops-'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.for(languages)('a shop in $name', (language) => {
  const lacks = isMissing(language)
  let shop: AnyShop
  beforeAll(async () => {
    if (lacks) return
    const own = mkdtempSync(join(folder, 'shop-'))
    shop = await startAnyShop({ language, folder: own, env: serviceVariables(service) })
  })
  afterAll(() => shop?.stop())

  test.skipIf(lacks).for(forged)('refuses a call %s, at every hook', async ([, sign]) => {
    const headers = sign()
    const hooks = ['authorize', 'purchase', 'order'].map((name) => `${shop.hooks}/hooks/${name}`)
    expect(await Promise.all(hooks.map((hook) => post(hook, headers)))).toEqual([403, 403, 403])
  })

  test.skipIf(lacks)('answers a signed call', async () => {
    expect(await post(`${shop.hooks}/hooks/order`, signed('order_1', text))).toBe(200)
  })
})

/** The code block of a language in the examples' README. */
const printed = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(
    readFileSync(join(examples, 'README.md'), 'utf8'),
  )?.[1] ?? ''

/** The part of a shop's file above a line. */
const above = (file: string, line: string): string =>
  readFileSync(join(examples, file), 'utf8').split(`\n${line}`)[0] ?? ''

/** Each writes its application into the folder, and returns how to start it. */
const frameworks = [
  {
    name: 'Laravel',
    isThere: () => spawnSync('php', ['-r', "require 'Illuminate/autoload.php';"]).status === 0,
    write(port: number) {
      cpSync(join(import.meta.dirname, 'laravel.php'), join(folder, 'laravel.php'))
      const uses = 'use Illuminate\\Http\\Request;\nuse Illuminate\\Support\\Facades\\Route;'
      writeFileSync(join(folder, 'shop.php'), above('shop.php', '$path'))
      writeFileSync(join(folder, 'routes.php'), `<?php\n${uses}\nrequire 'shop.php';\n${printed('php')}`)
      return `php -S 127.0.0.1:${port} laravel.php`
    },
  },
  {
    name: 'Flask',
    isThere: () => spawnSync('python3', ['-c', 'import flask']).status === 0,
    write(port: number) {
      const imports = 'from flask import Flask, abort, request\napp = Flask(__name__)'
      const lines = [above('shop.py', 'class Shop'), imports, printed('python'), `app.run(port=${port})`]
      writeFileSync(join(folder, 'app.py'), lines.join('\n'))
      return 'python3 app.py'
    },
  },
]

describe.for(frameworks)('the lines for $name', ({ isThere, name, write }) => {
  const lacks = !isThere()
  if (lacks && process.env.ENGINES === 'all') throw new Error(`This machine lacks ${name}.`)
  let started: Running
  let url: string
  beforeAll(async () => {
    if (lacks) return
    const port = await freePort()
    const env = { PURCHASE_HOOK_SECRET: hookSecret, SESSION_SECRET: 'a secret' }
    started = await start(write(port), folder, env, port)
    url = `http://127.0.0.1:${port}/hooks/purchase`
  })
  afterAll(() => started?.stop())

  test.skipIf(lacks).for(forged)('refuse a call %s', async ([, sign]) => {
    expect(await post(url, sign())).toBe(403)
  })

  test.skipIf(lacks).for([
    ['gold-100', { params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }],
    ['silver', { refused: 'We do not sell that.' }],
  ] as const)('say what is sold as %s', async ([product_id, expected]) => {
    const body = { shopper: { customId: 'shopper-1' }, params: { product_id } }
    const call = { name: 'createPurchase', url, timeoutMs: 20_000, id: 'purchase_1', body } as const
    const answer = await createCallHook(hookSecret)(call)
    expect(readCreatePurchaseAnswer(answer ?? '')).toMatchObject(expected)
  })
})

// Promise: serve/exactly-once
const orders = proofRuns(100, 3)

/** How long a shopper retries a request. */
const TIMEOUT_MS = 60_000

/** Passes a call on to the shop; without `response` the shop's answer is dropped. */
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
 * A proxy before the hooks. It answers the first attempt at each delivery with 500, makes the second without answering, makes the third
 * twice at once, and passes on later ones.
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

/** Kills the shop repeatedly, at random moments, and at least once; the promise resolves to the count. */
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

/** Follows a link of the shop like a navigation. */
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

/** Retries like a shopper whose shop is down for a moment. */
async function insist<Result>(what: string, ask: () => Promise<Result | undefined>): Promise<Result> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(50)) {
    const result = await ask().catch(() => undefined)
    if (result !== undefined) return result
  }
  throw new Error(`The shop gave no ${what} in ${TIMEOUT_MS} ms.`)
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
