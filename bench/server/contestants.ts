/** `POST /token` in four frameworks, each twice: the companion, and a bare handler that answers the same JSON. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createSandbox } from '@purchase-widget/sandbox'
import {
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  memoryStore,
  toNodeHandler,
} from '@purchase-widget/server'
import express from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'

const { urls, credentials } = await createSandbox()
const client = createPurchaseClient({ ...urls, ...credentials })
const tokens = createTokenLease({ client })
const companion = createCompanion({
  client,
  tokens,
  authorize(request) {
    const customId = /shopper=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    return customId ? { customId } : null
  },
  store: memoryStore(),
  rateLimit: { perShopper: 1e9, perAddress: 1e9 },
})
const { accessToken, expiresAt } = await tokens.get()
const answer = {
  purchaseId: 'bench-purchase-0000000',
  accessToken,
  widgetUrl: client.widgetUrl,
  expiresAt: expiresAt?.toISOString() ?? null,
  params: { custom_id: 'ada' },
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

const servers: Record<string, Record<'bare' | 'companion', Server>> = {
  'Node http': {
    bare: createServer(async (request, response) => {
      await readBody(request)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }),
    companion: createServer(toNodeHandler(companion)),
  },
  'Express 5': {
    bare: createServer(
      express().post('/token', express.json(), (_request, response) => void response.json(answer)),
    ),
    companion: createServer(express().use('/', toNodeHandler(companion))),
  },
  'Fastify 5': {
    bare: await fastifyServer((app) => app.post('/token', async () => answer)),
    companion: await fastifyServer((app) => {
      const handler = toNodeHandler(companion)
      app.all('/*', {
        onRequest(request, reply) {
          reply.hijack()
          void handler(request.raw, reply.raw)
        },
        handler: () => {},
      })
    }),
  },
  Hono: {
    bare: honoServer((app) =>
      app.post('/token', async (c) => {
        await c.req.json()
        return c.json(answer)
      }),
    ),
    companion: honoServer((app) => app.all('/*', (c) => companion.fetch(c.req.raw))),
  },
}

async function fastifyServer(mount: (app: FastifyInstance) => unknown): Promise<Server> {
  const app = fastify()
  mount(app)
  await app.ready()
  return app.server
}

function honoServer(mount: (app: Hono) => unknown): Server {
  const app = new Hono()
  mount(app)
  return createAdaptorServer({ fetch: app.fetch }) as Server
}

const ports: Record<string, Record<string, number>> = {}
for (const [framework, pair] of Object.entries(servers)) {
  for (const [name, server] of Object.entries(pair)) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports[framework] = { ...ports[framework], [name]: (server.address() as AddressInfo).port }
  }
}

/** Microseconds of processor time so far, for whoever asks. */
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.send?.(ports)
