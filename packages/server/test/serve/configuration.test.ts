// Promise: serve/configuration
/** The configuration of `serve`: each mistake names its line and its remedy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { configurationSchema } from '../../src/serve/configuration.ts'
import { ConfigurationError } from '../../src/serve/configurationError.ts'
import { readSettings, type Settings } from '../../src/serve/settings.ts'
import { hookSecret } from '../support/hookShop.ts'
import { variables } from '../support/settings.ts'

const right = `{
  "$schema": "./node_modules/@purchase-widget/server/serve.schema.json",
  "url": "https://shop.example/api/purchase-widget",
  "secret": { "env": "PURCHASE_HOOK_SECRET" },
  "authorize": { "url": "http://127.0.0.1:8000/authorize" },
  "createPurchase": { "catalogue": "catalogue.json" },
  "onOrder": { "url": "http://127.0.0.1:8000/orders" }
}`

const catalogue = `{
  "returnUrl": "/thanks",
  "products": {
    "gold-100": { "quote": "USD", "quote_amount": "0.99" }
  }
}`

const environment = {
  ...variables,
  PURCHASE_HOOK_SECRET: hookSecret,
  JWT_SECRET: 'a'.repeat(32),
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'))
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Files {
  text?: string | Buffer
  catalogueText?: string | null
  env?: Record<string, string>
}

function read({ text = right, catalogueText = catalogue, env = environment }: Files): Settings {
  const file = join(folder, 'purchase-widget.json')
  writeFileSync(file, text)
  const products = join(folder, 'catalogue.json')
  rmSync(products, { force: true })
  if (catalogueText !== null) writeFileSync(products, catalogueText)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return readSettings(file)
}

/** Each mistake as `file:line: path problem`, without the folder. */
function mistakesIn(files: Files): string[] {
  try {
    read(files)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.replaceAll(`${folder}/`, '').split('\n')
  }
}

/** The valid file with one change. */
function changed(from: string, to: string): { text: string } {
  expect(right).toContain(from)
  return { text: right.replace(from, to) }
}

const withLine = (line: string): { text: string } => changed('"secret"', `${line},\n  "secret"`)

/** [what is wrong, the files, the one line that reports it] */
const mistakes: [string, Files, RegExp][] = [
  ['an empty file', { text: '' }, /json:1: is not JSON here/],
  ['a missing quote', changed('"url": "https://shop', '"url": https://shop'), /json:3: is not JSON here/],
  ['a list instead of an object', { text: '[]' }, /json:1: must be an object/],
  [
    'a letter that is not UTF-8',
    { text: Buffer.from(right.replace('api/', 'caf\u00e9/'), 'latin1') },
    /json: cannot be read as UTF-8\./,
  ],
  [
    'an unknown name',
    withLine('"urls": "x"'),
    /json:4: urls is unknown\. Remove it, or use one of: url, host, port,/,
  ],
  [
    'a misspelt name in an object',
    changed('"catalogue": "', '"catalog": "x", "catalogue": "'),
    /json:6: createPurchase\.catalog is unknown\. Remove it, or use one of: url, timeoutMs, catalogue\./,
  ],
  ['a name that every object has', withLine('"__proto__": { "url": "x" }'), /json:4: __proto__ is unknown/],
  [
    'no url',
    changed('  "url": "https://shop.example/api/purchase-widget",\n', ''),
    /json:1: url is missing\. It must be the public address/,
  ],
  ['a url over http', changed('"https://shop', '"http://shop'), /json:3: url must use https/],
  [
    'a url that is too long',
    changed('/api/', `/${'a'.repeat(80)}/`),
    /json:3: url may have at most 80 characters/,
  ],
  ['a port that is none', withLine('"port": 70000'), /json:4: port must be a port, from 0 to 65535/],
  [
    'a number of proxies that is negative',
    withLine('"trustProxy": -1'),
    /json:4: trustProxy must be the number of proxies/,
  ],
  [
    'more proxies than anybody has',
    withLine('"trustProxy": 1000'),
    /json:4: trustProxy must be the number of proxies/,
  ],
  [
    'a block of proxies without its size',
    withLine('"trustProxy": ["10.0.0.0/"]'),
    /json:4: trustProxy must be .* their addresses/,
  ],
  [
    'a url with a password',
    changed('"https://shop', '"https://me:secret@shop'),
    /json:3: url must not hold a user name or password/,
  ],
  [
    'an origin with a path',
    withLine('"allowedOrigins": ["https://shop.example/x"]'),
    /json:4: allowedOrigins\.0 must be an origin without a path/,
  ],
  [
    'two stores',
    {
      ...withLine('"store": { "sqlite": "a", "postgres": { "env": "A" } }'),
      env: { ...environment, A: 'postgres://host/db' },
    },
    /json:4: store must have exactly one of "sqlite" or "postgres"/,
  ],
  [
    'a store that loses its data',
    withLine('"store": { "sqlite": ":memory:" }'),
    /json:4: store\.sqlite must be the path of a SQLite file.*:memory:, which loses its data/,
  ],
  [
    'the database’s address in the file',
    withLine('"store": { "postgres": "postgres://me:secret@host/db" }'),
    /json:4: store\.postgres must be the name of an environment variable.*this file must not contain secrets/,
  ],
  [
    'the secret in the file',
    changed('{ "env": "PURCHASE_HOOK_SECRET" }', '"whsec_c2VjcmV0"'),
    /json:4: secret must be the name of an environment variable.*this file must not contain secrets/,
  ],
  [
    'a variable in small letters',
    changed('PURCHASE_HOOK_SECRET', 'secret'),
    /json:4: secret\.env must be the name of an environment variable, in capitals/,
  ],
  [
    'a variable that is not set',
    changed('PURCHASE_HOOK_SECRET', 'OTHER_SECRET'),
    /json:4: secret\.env names OTHER_SECRET, which is not set\. Make one: echo/,
  ],
  [
    'a secret that is too short',
    { env: { ...environment, PURCHASE_HOOK_SECRET: 'whsec_c2VjcmV0' } },
    /json:4: secret\.env .* must be whsec_ and 24 to 64/,
  ],
  [
    'a hook over plain http',
    changed('http://127.0.0.1:8000/authorize', 'http://10.0.0.5/authorize'),
    /json:5: authorize\.url must use https; http only on localhost/,
  ],
  [
    'a deadline in seconds',
    changed('"http://127.0.0.1:8000/orders"', '"http://127.0.0.1:8000/orders", "timeoutMs": 3'),
    /json:7: onOrder\.timeoutMs must be a whole number of milliseconds, from 100 to 60000/,
  ],
  [
    'no onOrder',
    changed(
      'catalogue.json" },\n  "onOrder": { "url": "http://127.0.0.1:8000/orders" }',
      'catalogue.json" }',
    ),
    /json:1: onOrder is missing\. It must be an object, e\.g\. \{ "url": "http:\/\/127\.0\.0\.1:8000\/hooks\/order" \}/,
  ],
  [
    'a token without a key',
    changed('"url": "http://127.0.0.1:8000/authorize"', '"jwt": { "cookie": "session" }'),
    /json:5: authorize\.jwt must have exactly one of "jwks" or "secret"/,
  ],
  [
    'a key set without an issuer',
    changed('"url": "http://127.0.0.1:8000/authorize"', '"jwt": { "jwks": "https://id.example/keys" }'),
    /json:5: authorize\.jwt must have an "issuer"/,
  ],
  [
    'a short secret of tokens',
    {
      ...changed('"url": "http://127.0.0.1:8000/authorize"', '"jwt": { "secret": { "env": "JWT_SECRET" } }'),
      env: { ...environment, JWT_SECRET: 'short' },
    },
    /json:5: authorize\.jwt\.secret\.env names JWT_SECRET, which must have at least 32 bytes/,
  ],
  [
    'neither hook nor catalogue',
    changed('{ "catalogue": "catalogue.json" }', '{}'),
    /json:6: createPurchase must have exactly one of "url" or "catalogue"/,
  ],
  [
    'a catalogue that is not there',
    { catalogueText: null },
    /json:6: createPurchase\.catalogue names catalogue\.json, which cannot be read as UTF-8/,
  ],
  [
    'a catalogue without products',
    { catalogueText: '{\n  "products": {}\n}' },
    /catalogue\.json:2: products must have at least one product/,
  ],
  [
    'a price as a number',
    { catalogueText: catalogue.replace('"0.99"', '0.99') },
    /catalogue\.json:4: products\.gold-100\.quote_amount must be text/,
  ],
  [
    'a product without a price',
    { catalogueText: catalogue.replace(', "quote_amount": "0.99"', '') },
    /catalogue\.json:4: products\.gold-100 cannot be sold: decide params\.quote_amount/,
  ],
  [
    'a return address over http',
    { catalogueText: catalogue.replace('/thanks', 'http://shop.example/thanks') },
    /catalogue\.json:4: products\.gold-100 cannot be sold: returnUrl must be https/,
  ],
  [
    'a service’s variable that is not set',
    { env: { ...environment, PURCHASE_API_KEY: '' } },
    /json: the environment: .*PURCHASE_API_KEY/,
  ],
]

describe('the configuration of serve', () => {
  test.each(mistakes)('names the line of %s, and its remedy', (_, files, expected) => {
    const found = mistakesIn(files)
    expect(found).toEqual([expect.stringMatching(expected)])
    // No secret of the environment or of the file is repeated.
    expect(found.join()).not.toMatch(/me:secret|c2VjcmV0/)
  })

  test('all mistakes are named in one run', () => {
    const found = mistakesIn({
      text: right
        .replace('"https://shop', '"http://shop')
        .replace('"catalogue": "', '"catalog": "x", "catalogue": "'),
    })
    expect(found.map((line) => line.split(' ')[0])).toEqual([
      'purchase-widget.json:3:',
      'purchase-widget.json:6:',
    ])
  })

  test('the file that cannot be read is named', () => {
    expect(() => readSettings(join(folder, 'none.json'))).toThrow(
      /none\.json: cannot be read as UTF-8\. Name the file with --config\./,
    )
  })

  test('fills in defaults, and resolves files from its own folder', () => {
    const { configuration, sqliteFile, catalogue: products } = read({})
    expect(configuration).toMatchObject({ host: '127.0.0.1', port: 3100, trustProxy: ['127.0.0.0/8', '::1'] })
    expect(sqliteFile).toBe(join(folder, 'purchases.sqlite'))
    const asked = {
      params: { product_id: 'gold-100' },
      shopper: { customId: 'ada' },
      request: new Request('https://shop.example'),
    }
    expect(products?.(asked)).toEqual({
      params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' },
      returnUrl: '/thanks',
    })
    // No name that every object has.
    expect(() => products?.({ ...asked, params: { product_id: 'constructor' } })).toThrow('do not sell that')
  })

  test('an app’s own origin may call the companion, as in createCompanion', () => {
    const allowedOrigins = ['https://shop.example', 'capacitor://localhost']
    const { configuration } = read(withLine(`"allowedOrigins": ${JSON.stringify(allowedOrigins)}`))
    expect(configuration.allowedOrigins).toEqual(allowedOrigins)
  })

  test('a hook and a key set may have a query, by which many shops and issuers find the route', () => {
    const hook = 'https://shop.example/index.php?route=purchase/order'
    const jwks = 'https://id.example/keys?appid=1'
    const { configuration } = read({
      text: right
        .replace('http://127.0.0.1:8000/orders', hook)
        .replace('"url": "http://127.0.0.1:8000/authorize"', `"jwt": { "jwks": "${jwks}", "issuer": "id" }`),
    })
    expect([configuration.onOrder.url, configuration.authorize.jwt?.jwks]).toEqual([hook, jwks])
  })

  test('the published Schema describes the configuration', async () => {
    const schema = z.toJSONSchema(configurationSchema, { io: 'input' })
    // `vitest -u` rewrites it.
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../serve.schema.json')
  })
})
