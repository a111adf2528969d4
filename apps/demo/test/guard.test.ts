// Promise: demo/guard
/** Who may use a demo that runs on a developer's machine: its own pages and programs, and no website that the browser has open beside it. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Demo, startDemo } from '../server/startDemo.ts'

let demo: Demo
let cookie: string
beforeAll(async () => {
  demo = await startDemo({ port: 0 })
  cookie = (await fetch(demo.url)).headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(() => demo.close())

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** `fetch` allows no `Host`. */
function send({ method = 'GET', path = '/', headers = {}, body = '' }: Sent): Promise<{
  status: number | undefined
  cookie: string | undefined
}> {
  const { hostname, port, host } = new URL(demo.url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { host, ...headers } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, cookie: answer.headers['set-cookie']?.[0] })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('a name that a website has pointed at this machine', () => {
  const paths = ['/', '/api/shop/deliveries', '/api/purchase-widget/orders', '/assets/x.js']

  test.each(paths)('gets nothing of %s, and no session', async (path) => {
    for (const host of [
      'shop.evil.example',
      'localhost.evil.example',
      '192.168.0.7',
      '0.0.0.0',
      '127.0.0.1.evil.example',
    ]) {
      const answer = await send({ path, headers: { host: `${host}:${new URL(demo.url).port}`, cookie } })
      expect(answer, host).toEqual({ status: 403, cookie: undefined })
    }
    const wholeAddress = await send({ path: `http://shop.evil.example${path}`, headers: { cookie } })
    expect(wholeAddress).toEqual({ status: 403, cookie: undefined })
  })

  test.each(['localhost', 'LOCALHOST', 'lantern.localhost', '127.0.0.1', '[::1]'])(
    '%s is this machine, and gets the shop',
    async (name) => {
      const { port } = new URL(demo.url)
      expect((await send({ headers: { host: `${name}:${port}` } })).status).toBe(200)
    },
  )
})

const write = {
  method: 'POST',
  path: '/api/shop/story',
  body: '{"at":1,"from":"page","to":"page","text":"forged"}',
}

describe('a step of the story', () => {
  const json = { 'content-type': 'application/json' }
  const elsewhere = 'http://localhost:1'

  test('works from the shop’s own page, and for a program', async () => {
    const page = { ...json, cookie, origin: demo.url, 'sec-fetch-site': 'same-origin' }
    expect((await send({ ...write, headers: page })).status).toBe(204)
    expect((await send({ ...write, headers: { ...json, cookie } })).status).toBe(204)
  })

  test.each([
    [
      'another port of localhost, as text',
      { origin: elsewhere, 'sec-fetch-site': 'same-site', 'content-type': 'text/plain' },
    ],
    ['another port of localhost, as JSON', { origin: elsewhere, 'sec-fetch-site': 'same-site', ...json }],
    ['another port, in a browser without fetch metadata', { origin: elsewhere, ...json }],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', ...json }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site', ...json }],
    ['another port, where the browser names no origin', { 'sec-fetch-site': 'same-site', ...json }],
  ])('is refused from %s', async (_from, headers) => {
    expect(await send({ ...write, headers: { cookie, ...headers } })).toEqual({
      status: 403,
      cookie: undefined,
    })
  })
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; application/json',
  'application/jsonx',
])('nothing is written by %s, which a form can send without an origin in old browsers', async (type) => {
  const answer = await send({ ...write, headers: { cookie, 'content-type': type } })
  expect(answer).toEqual({ status: 415, cookie: undefined })
})

test('nothing is written by a body without a type', async () => {
  expect(await send({ ...write, headers: { cookie } })).toEqual({ status: 415, cookie: undefined })
})

test.each(['/%zz', '/%', '/orders%2', '/assets/%e0%a4%a', '/api/shop/%zz'])(
  '%s, which is no address, is the caller’s mistake',
  async (path) => {
    expect((await send({ path })).status).toBe(400)
  },
)
