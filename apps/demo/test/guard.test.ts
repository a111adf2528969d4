// Promise: demo/guard
/** Access to a demo on a developer's machine: allowed for its own pages and programs, but for no other website in the same browser. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

/** Needed because `fetch` does not allow setting `Host`. */
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

test.each(['/', '/api/shop/deliveries', '/api/purchase-widget/orders', '/assets/x.js'])(
  'a foreign name that resolves to localhost gets nothing from %s, and no session',
  async (path) => {
    const { port } = new URL(demo.url)
    for (const name of ['evil.example', 'localhost.evil.example', '192.168.0.7', '0.0.0.0']) {
      const answer = await send({ path, headers: { host: `${name}:${port}`, cookie } })
      expect(answer, name).toEqual({ status: 403, cookie: undefined })
    }
    const wholeAddress = await send({ path: `http://shop.evil.example${path}`, headers: { cookie } })
    expect(wholeAddress).toEqual({ status: 403, cookie: undefined })
  },
)

test.each(['localhost', 'LOCALHOST', 'lantern.localhost', '127.0.0.1', '[::1]'])(
  '%s is a loopback name, and gets the shop',
  async (name) => {
    const { port } = new URL(demo.url)
    expect((await send({ headers: { host: `${name}:${port}` } })).status).toBe(200)
  },
)

const json = { 'content-type': 'application/json' }
const elsewhere = 'http://localhost:1'

/** Callers that add a step to the story: their headers and the expected status. */
const callers: [who: string, headers: () => Record<string, string>, status: number][] = [
  ['the shop’s own page', () => ({ ...json, origin: demo.url, 'sec-fetch-site': 'same-origin' }), 204],
  ['a program', () => json, 204],
  ['another port of localhost', () => ({ ...json, origin: elsewhere, 'sec-fetch-site': 'same-site' }), 403],
  ['another port, in a browser without fetch metadata', () => ({ ...json, origin: elsewhere }), 403],
  [
    'another port, where the browser names no origin',
    () => ({ ...json, 'sec-fetch-site': 'same-site' }),
    403,
  ],
  ['a page without an origin', () => ({ ...json, origin: 'null', 'sec-fetch-site': 'cross-site' }), 403],
  // The content types that a form can send without an Origin in old browsers.
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/plain; application/json',
    'application/jsonx',
  ].map((type): [string, () => Record<string, string>, number] => [
    type,
    () => ({ 'content-type': type }),
    415,
  ]),
  ['a body without a type', () => ({}), 415],
]

test.each(callers)('a story step from %s is accepted or refused', async (_who, headers, status) => {
  const body = '{"at":1,"from":"page","to":"page","text":"a step"}'
  const answer = await send({
    method: 'POST',
    path: '/api/shop/story',
    body,
    headers: { cookie, ...headers() },
  })
  expect(answer).toEqual({ status, cookie: undefined })
})

test.each(['/%zz', '/%', '/orders%2', '/assets/%e0%a4%a', '/api/shop/%zz'])(
  '%s, which is not a valid address, is a client error',
  async (path) => {
    expect((await send({ path })).status).toBe(400)
  },
)
