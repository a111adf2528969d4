// Promise: link/navigations-only
/** What a request must prove, header by header. Whole requests are in the files beside it. */
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../src/companion/answer.ts'
import { jsonBody, textBody } from '../../src/companion/asked.ts'
import type { CompanionEnv } from '../../src/companion/context.ts'
import { checkFetchSite, checkNavigation, checkOrigin } from '../../src/companion/guard.ts'
import { networkOf } from '../../src/companion/limits.ts'
import { originOf, splitAddress } from '../../src/companion/place.ts'

const shop = 'https://shop.example'
const app = 'https://app.example'
const evil = 'https://evil.example'

const asking = (headers: Record<string, string>): Request => new Request(`${shop}/api/token`, { headers })

/** `fine`, or the code of the refusal. */
function saidOf(check: () => void): string {
  try {
    check()
    return 'fine'
  } catch (error) {
    return (error as Refusal).code
  }
}

describe('the origin of a POST', () => {
  const origins = { shops: [shop, app], origin: shop }

  test.each<[Record<string, string>, string]>([
    [{ origin: shop }, 'fine'],
    [{ origin: shop, 'sec-fetch-site': 'same-origin' }, 'fine'],
    [{ origin: shop, 'sec-fetch-site': 'none' }, 'fine'],
    [{ origin: shop, 'sec-fetch-site': 'same-site' }, 'forbidden_origin'],
    [{ origin: shop, 'sec-fetch-site': 'cross-site' }, 'forbidden_origin'],
    [{ origin: app, 'sec-fetch-site': 'same-site' }, 'fine'],
    [{ origin: app, 'sec-fetch-site': 'cross-site' }, 'fine'],
    [{ origin: evil }, 'forbidden_origin'],
    [{ origin: 'null' }, 'forbidden_origin'],
    [{ origin: evil, authorization: 'Bearer x' }, 'forbidden_origin'],
    [{}, 'forbidden_origin'],
    [{ authorization: 'Bearer x' }, 'fine'],
    [{ authorization: 'Bearer x', 'sec-fetch-mode': 'cors' }, 'fine'],
    [{ authorization: 'Bearer x', cookie: 'a=b' }, 'forbidden_origin'],
    [{ authorization: 'Bearer x', 'sec-fetch-site': 'same-origin' }, 'forbidden_origin'],
    [{ authorization: 'Bearer x', 'sec-fetch-dest': 'empty' }, 'forbidden_origin'],
  ])('%j is %s', (headers, said) => {
    expect(saidOf(() => checkOrigin(asking(headers), origins))).toBe(said)
  })
})

test.each<[Record<string, string>, string]>([
  [{}, 'fine'],
  [{ 'sec-fetch-site': 'none' }, 'fine'],
  [{ 'sec-fetch-site': 'same-origin' }, 'fine'],
  [{ 'sec-fetch-site': 'same-site' }, 'fine'],
  [{ 'sec-fetch-site': 'cross-site' }, 'forbidden_origin'],
  [{ 'sec-fetch-site': 'cross-site', origin: app }, 'fine'],
  [{ 'sec-fetch-site': 'same-origin', origin: evil }, 'forbidden_origin'],
])('a read with %j is %s', (headers, said) => {
  expect(saidOf(() => checkFetchSite(asking(headers), { shops: [shop, app] }))).toBe(said)
})

describe('a navigation', () => {
  const cookie = { cookie: 'a=b' }
  const windowed = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const framed = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }

  test.each<[Record<string, string>, string, string]>([
    [{}, 'unauthorized', 'unauthorized'],
    [cookie, 'fine', 'fine'],
    [{ authorization: 'Bearer x' }, 'fine', 'fine'],
    [{ ...cookie, purpose: 'other' }, 'fine', 'fine'],
    [{ ...cookie, purpose: 'Prefetch' }, 'forbidden', 'forbidden'],
    [{ ...cookie, 'sec-purpose': 'prefetch;prerender' }, 'forbidden', 'forbidden'],
    [{ ...cookie, 'x-moz': 'prefetch' }, 'forbidden', 'forbidden'],
    [{ ...cookie, 'x-purpose': 'preview' }, 'forbidden', 'forbidden'],
    [{ ...windowed, 'sec-fetch-site': 'cross-site' }, 'fine', 'fine'],
    [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }, 'fine', 'fine'],
    [{ ...windowed, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }, 'forbidden', 'forbidden'],
    [{ ...framed, 'sec-fetch-site': 'cross-site' }, 'forbidden_origin', 'forbidden_origin'],
    [{ ...framed, 'sec-fetch-site': 'same-origin' }, 'fine', 'fine'],
    [{ ...framed, 'sec-fetch-site': 'same-site' }, 'forbidden_origin', 'fine'],
  ])('with %j is %s; where the shop has pages elsewhere, %s', (headers, alone, elsewhere) => {
    const said = (shops: string[]): string =>
      saidOf(() => checkNavigation(asking(headers), { shops, origin: shop }))
    expect([said([shop]), said([shop, app])]).toEqual([alone, elsewhere])
  })
})

describe('a body', () => {
  const app = new Hono<CompanionEnv>()
    .post('/json', jsonBody, (c) => c.json(c.var.body))
    .post('/text', textBody(10), (c) => c.text(c.var.text))
  let refused: Refusal | null
  app.onError((error, c) => {
    refused = error as Refusal
    return c.body(null, 500)
  })

  /** What is read, or the code of the refusal. */
  async function saidTo(
    path: '/json' | '/text',
    body: string | ReadableStream,
    headers = {},
  ): Promise<string> {
    refused = null
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    const answer = await app.request(path, { ...init, duplex: 'half' } as RequestInit)
    return (refused as Refusal | null)?.code ?? answer.text()
  }
  const streamOf = (...parts: Uint8Array<ArrayBuffer>[]): ReadableStream =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })

  test.each([
    ['application/json', '{}'],
    ['application/json; charset=utf-8', '{}'],
    ['APPLICATION/JSON', '{}'],
    ['application/json ;x', '{}'],
    ['application/jsonp', 'unsupported_media_type'],
    ['x/application/json', 'unsupported_media_type'],
    ['text/plain', 'unsupported_media_type'],
    ['', 'unsupported_media_type'],
  ])('of type %j is %s', async (type, said) => {
    expect(await saidTo('/json', '{}', { 'content-type': type })).toBe(said)
  })

  test.each(['', 'x', '[]', 'null', '7', '"{}"'])('that is %j is not an object', async (body) => {
    expect(await saidTo('/json', body)).toBe('invalid_request')
  })

  test('is read whole, across its pieces', async () => {
    const bytes = new TextEncoder().encode('äää')
    expect(await saidTo('/text', streamOf(bytes.slice(0, 3), bytes.slice(3)))).toBe('äää')
  })

  test.each([
    [10, 'x'.repeat(10)],
    [11, 'too_large'],
  ])('of %i bytes where ten are allowed is %s, stated or streamed', async (length, said) => {
    const text = 'x'.repeat(length)
    const bytes = new TextEncoder().encode(text)
    expect(await saidTo('/text', text, { 'content-length': String(length) })).toBe(said)
    expect(await saidTo('/text', streamOf(bytes.slice(0, 6), bytes.slice(6)))).toBe(said)
  })

  test('of JSON may have 16 KiB', async () => {
    const bodyOf = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`
    expect(await saidTo('/json', bodyOf(16_384))).toBe(bodyOf(16_384))
    expect(await saidTo('/json', bodyOf(16_385))).toBe('too_large')
  })

  test('that states too great a length is refused before it is read', async () => {
    const endless = (): ReadableStream => new ReadableStream({ pull: () => new Promise(() => {}) })
    expect(await saidTo('/text', endless(), { 'content-length': '11' })).toBe('too_large')
  })

  test('that breaks off is refused as one that does not arrive', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('cut off')) })
    expect(await saidTo('/text', broken)).toBe('request_timeout')
    expect(refused).toMatchObject({
      message: 'The body did not arrive within 5 s.',
      headers: { connection: 'close' },
    })
  })
})

test.each([
  ['https://shop.example/x?y', 'https://shop.example'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['com.example.shop://done/x', 'com.example.shop://done'],
  ['https://user@shop.example/', ''],
  ['https://:pass@shop.example/', ''],
  ['mailto:a@b', ''],
  ['shop.example', ''],
  ['', ''],
])('the origin of %j is %j', (address, origin) => {
  expect(originOf(address)).toBe(origin)
})

test.each([
  ['https://shop.example/a/b?c=/d#e', 'https://shop.example', '/a/b'],
  ['https://shop.example/a#b?c', 'https://shop.example', '/a'],
  ['https://shop.example/a', 'https://shop.example', '/a'],
  ['http://localhost:3000/', 'http://localhost:3000', '/'],
])('%s is split', (address, origin, pathname) => {
  expect(splitAddress(address)).toEqual({ origin, pathname })
})

test('a text that is not an address is refused', () => {
  expect(saidOf(() => splitAddress('http://a b/'))).toBe('invalid_request')
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['::ffff:203.10.113.99', '203.10.113.99'],
  ['::ffff:1.2.3.4.5', '0:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['1:2:3', '1:2:3::/64'],
  ['1:2:3:4:5:6:7:8::9', '1:2:3:4::/64'],
  ['x::ffff:203.0.113.9', 'x:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1:2:3:4:5:6', '0:0:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8:9', '1:2:3:4::/64'],
  ['0000:0:00:10::', '0:0:0:10::/64'],
  ['12345678:1:1:1::', '1234:1:1:1::/64'],
  ['unix', 'unix'],
  ['x'.repeat(70), 'x'.repeat(64)],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
