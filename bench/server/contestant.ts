/** A process with one server: it reports the base URL of its routes and, on request, its memory and CPU time. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import {
  type Companion,
  createCompanion,
  memoryStore,
  type Store,
  toNodeHandler,
} from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { createLog } from '../../packages/server/src/serve/log.ts'
import { runServe } from '../../packages/server/src/serve/runServe.ts'
import { publicUrl, settingsFor } from '../../packages/server/test/support/serving.ts'

/** The resources that a process has used. */
export interface Usage {
  /** Bytes of live objects, after garbage collection. */
  heap: number
  /** Bytes of the whole process. */
  resident: number
  cpuMicroseconds: number
}

const [kind = '', hooks = '', folder = ''] = process.argv.slice(2)
const path = new URL(publicUrl).pathname
const rateLimit = { perShopper: 100_000, perAddress: 100_000 }

const contestants: Record<string, () => Promise<string>> = {
  bare: () =>
    listen(
      express()
        .use(express.json())
        .get(`${path}/launch`, (_request, response) => response.redirect(303, answer.params.redirect_url))
        .post([`${path}/launch`, `${path}/token`], (_request, response) => void response.json(answer)),
    ),
  Express: () => listen(express().use(path, handlerOf(companionOn(memoryStore())))),
  'Express and SQLite': () =>
    listen(express().use(path, handlerOf(companionOn(sqliteStore(join(folder, 'purchases.sqlite')))))),
  Fastify: () => withFastify(companionOn(memoryStore())),
  Hono: () => {
    const app = new Hono().route(path, companionOn(memoryStore()).app)
    return listen(getRequestListener(app.fetch))
  },
  'node:http': () => listen(handlerOf(companionOn(memoryStore()))),
  async serve() {
    const settings = settingsFor(hooks, folder, { rateLimit })
    return (await runServe(settings, createLog(tellFailure))).address
  },
}

/** A companion's response to a page's script. */
const answer = {
  purchaseId: 'bench-purchase-0000000',
  url: `https://widget.example/widget/?accessToken=${'t'.repeat(200)}`,
  params: {
    product_id: 'gold-100',
    quote: 'USD',
    quote_amount: '0.99',
    custom_id: 'shopper-1',
    redirect_url: `${publicUrl}/return/bench-purchase-0000000`,
    fail_redirect_url: `${publicUrl}/return/bench-purchase-0000000/failed`,
    redirect_page: 'self',
  },
}

const companionOn = (store: Store): Companion =>
  createCompanion({
    url: publicUrl,
    store,
    authorize: ({ headers }) => ({
      customId: /shopper=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '',
    }),
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }),
    onOrder: () => {},
    pageToken: true,
    rateLimit,
  })

const handlerOf = (companion: Companion): ReturnType<typeof toNodeHandler> =>
  toNodeHandler(companion, { trustProxy: ['127.0.0.1'] })

async function withFastify(companion: Companion): Promise<string> {
  const app = fastify()
  const handler = handlerOf(companion)
  app.all(`${path}/*`, {
    onRequest(request, reply) {
      reply.hijack()
      void handler(request.raw, reply.raw)
    },
    handler: () => {},
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const tellFailure = (line: string): void => {
  if (line.includes('"level":"error"')) console.error(line)
}

function usage(): Usage {
  global.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { heap: heapUsed, resident: rss, cpuMicroseconds: user + system }
}

process.send?.(`${await contestants[kind]?.()}${path}`)
process.on('message', () => process.send?.(usage()))
