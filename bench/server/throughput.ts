/**
 * `/launch` and `/token` of a companion in four frameworks, in Express with each store, and of `serve` with hooks, compared with a bare
 * handler; also the memory of each at rest.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { type HookShop, startHookShop } from '../../packages/server/test/support/hookShop.ts'
import { type Service, startService } from '../../packages/server/test/support/service.ts'
import { publicUrl, serviceVariables } from '../../packages/server/test/support/serving.ts'
import { type Bench, interleave, type Rows, rounded, rowsOf } from '../bench.ts'
import type { Usage } from './contestant.ts'

const SHOPPERS = 1_000
const SECONDS = 2
const MB = 1_048_576

/** The link that a shopper follows on the shop's page, and the request of a page's script. */
const routes = {
  'GET /launch': {
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-fetch-site': 'same-origin',
  },
  'POST /launch': { origin: new URL(publicUrl).origin, 'content-type': 'application/json' },
  'POST /token': { origin: new URL(publicUrl).origin, 'content-type': 'application/json' },
}
type Route = keyof typeof routes
const isRoute = (text: string): text is Route => Object.hasOwn(routes, text)

/** The servers of contestant.ts. */
const kinds = ['bare', 'Express', 'Express and SQLite', 'Fastify', 'Hono', 'node:http', 'serve']

export const throughput: Bench = {
  title: `/launch and /token in four frameworks with the memory store, in Express 5 also with SQLite, and through serve with hooks on the same machine, against a bare handler in Express; ${SECONDS} s, 20 connections`,
  runs: 7,
  async run(runs) {
    const service = await startService()
    const shop = await startHookShop()
    const servers = new Map<string, Contestant>()
    const atRest: Rows = {}
    for (const kind of kinds) {
      const server = await start(kind, service, shop)
      const { heap, resident } = await server.usage()
      atRest[kind] = {
        'heap at rest, MB': rounded(heap / MB),
        'resident at rest, MB': Math.round(resident / MB),
      }
      servers.set(kind, server)
    }
    const all = Object.keys(routes).filter(isRoute)
    const turns = all
      .flatMap((route) => [...servers.keys()].map((kind) => `${route}, ${kind}`))
      // `serve` gives no page a token.
      .filter((name) => name !== 'POST /token, serve')
    const turn = async (name: string): Promise<Record<string, number>> => {
      shop.calls.length = 0
      const [route = '', kind = ''] = name.split(', ')
      const server = servers.get(kind)
      if (!server || !isRoute(route)) throw new Error(`There is no ${name}.`)
      return load(server, route)
    }
    // Warm-up compilation is not part of a round.
    for (const name of turns) await turn(name)
    const measured = await interleave(turns, runs, turn)
    for (const server of servers.values()) await server.close()
    await shop.close()
    await service.close()
    const rows = rowsOf(measured, (name) => `${name.split(', ')[0]}, bare`)
    return Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [name, { ...row, ...atRest[name.split(', ')[1] ?? ''] }]),
    )
  },
}

interface Contestant {
  /** Base URL of the companion's routes. */
  address: string
  usage(): Promise<Usage>
  close(): Promise<void>
}

async function start(kind: string, service: Service, shop: HookShop): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-server-'))
  const server = fork(join(import.meta.dirname, 'contestant.ts'), [kind, shop.url, folder], {
    env: { ...process.env, NODE_ENV: 'production', ...serviceVariables(service) },
    execArgv: ['--expose-gc'],
  })
  const [address] = (await Promise.race([once(server, 'message'), once(server, 'exit')])) as [string | number]
  if (typeof address !== 'string') throw new Error(`${kind} did not start.`)
  return {
    address,
    async usage() {
      server.send('usage')
      const [usage] = (await once(server, 'message')) as [Usage]
      return usage
    },
    async close() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function load({ address, usage }: Contestant, route: Route): Promise<Record<string, number>> {
  const before = await usage()
  const isLink = route === 'GET /launch'
  const { requests, latency, ...counted } = await autocannon({
    url: `${address}${route.replace(/^\w+ /, '')}${isLink ? '?product_id=gold-100' : ''}`,
    ...(!isLink && { method: 'POST', body: JSON.stringify({ params: { product_id: 'gold-100' } }) }),
    connections: 20,
    duration: SECONDS,
    requests: Array.from({ length: SHOPPERS }, (_, shopper) => ({
      headers: {
        ...routes[route],
        host: new URL(publicUrl).host,
        cookie: `shopper=shopper-${shopper}`,
        // A separate address for each shopper, as a proxy forwards it, because the limits count per address.
        'x-forwarded-for': `10.0.${shopper >> 8}.${shopper & 255}`,
      },
    })),
  })
  const others = requests.total - counted[isLink ? '3xx' : '2xx']
  if (others > 0) throw new Error(`${others} of ${requests.total} did not lead to the widget.`)
  const after = await usage()
  return {
    'requests/s': requests.average,
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    'CPU µs/request': (after.cpuMicroseconds - before.cpuMicroseconds) / requests.total,
  }
}
