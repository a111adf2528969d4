// Promise: serve/shops
/** The shops of examples/any-language, and the lines for frameworks beside them, answer their `serve` and nobody else. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyShop, isMissing, languages, start, startAnyShop } from '../../../../scripts/anyLanguage.ts'
import { freePort, type Running } from '../../../../scripts/processes.ts'
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

/** [what is wrong with a call, its headers, signed when it is made: shops in other languages take a while to start] */
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

/** What a shop's file has above a line. */
const above = (file: string, line: string): string =>
  readFileSync(join(examples, file), 'utf8').split(`\n${line}`)[0] ?? ''

/** Each writes its application into the folder, and says how it is started. */
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
