/** The companion's `POST /launch` and `POST /token` with a live lease, in Express, against a bare handler, measured in turn. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Bench, median, rounded } from '../bench.ts'

const SHOPPERS = 1_000
const rounds = 3
const seconds = 2
const routes = ['/launch', '/token'] as const
type Route = (typeof routes)[number]

interface Measured {
  perSecond: number
  p50: number
  p99: number
  /** Processor time of the server for one request, which other work on the machine disturbs less. */
  cpuMicroseconds: number
}

async function load(server: ChildProcess, port: number, route: Route): Promise<Measured> {
  const before = await cpuOf(server)
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${route}`,
    method: 'POST',
    body: '{}',
    // Of the shop's own page.
    headers: { 'content-type': 'application/json', origin: 'https://shop.example' },
    requests: Array.from({ length: SHOPPERS }, (_, shopper) => ({
      headers: { cookie: `shopper=${shopper}` },
    })),
    connections: 20,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx.`)
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicroseconds: ((await cpuOf(server)) - before) / result.requests.total,
  }
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu')
  const [microseconds] = (await once(server, 'message')) as [number]
  return microseconds
}

const middle = (runs: Measured[], figure: keyof Measured): number =>
  rounded(median(runs.map((run) => run[figure])))

/** The figures of the contestants, one row for each; `bare` is what the others are compared with. */
async function compare(
  server: ChildProcess,
  ports: Record<string, number>,
  route: Route,
): Promise<[string, Record<string, number>][]> {
  const names = Object.keys(ports)
  const runs: Record<string, Measured>[] = []
  for (let round = 0; round <= rounds; round++) {
    const run: Record<string, Measured> = {}
    for (const [name, port] of Object.entries(ports)) run[name] = await load(server, port, route)
    // The first round warms up.
    if (round > 0) runs.push(run)
  }
  const of = (name: string): Measured[] => runs.flatMap((run) => run[name] ?? [])
  const bare = of('bare')
  return names.map((name) => {
    const own = of(name)
    const ratio = (figure: 'perSecond' | 'cpuMicroseconds'): number =>
      rounded(median(own.map((one, at) => one[figure] / (bare[at]?.[figure] ?? Number.NaN))))
    return [
      name,
      {
        'requests/s': Math.round(middle(own, 'perSecond')),
        ratio: ratio('perSecond'),
        'p50 ms': middle(own, 'p50'),
        'p99 ms': middle(own, 'p99'),
        'CPU µs/request': middle(own, 'cpuMicroseconds'),
        'by CPU': rounded(1 / ratio('cpuMicroseconds')),
      },
    ]
  })
}

export const throughput: Bench = {
  title: `POST /launch and POST /token with a live lease in Express 5, medians of ${rounds} rounds of ${seconds} s, bare and companions in turn`,
  async run() {
    const server = fork(fileURLToPath(new URL('contestants.ts', import.meta.url)), {
      env: { ...process.env, NODE_ENV: 'production' },
    })
    try {
      const [ports] = (await once(server, 'message')) as [Record<string, number>]
      const rows: Awaited<ReturnType<Bench['run']>> = {}
      for (const route of routes) {
        for (const [name, figures] of await compare(server, ports, route)) rows[`${route}, ${name}`] = figures
      }
      return rows
    } finally {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    }
  },
}
