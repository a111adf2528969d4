/** The companion's `POST /token` with a live lease, against a bare handler of the same framework, measured in turn. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Bench, median, rounded } from '../bench.ts'

const rounds = 7
const seconds = 2

interface Measured {
  perSecond: number
  p50: number
  p99: number
  /** Processor time of the server for one request, which other work on the machine disturbs less. */
  cpuMicroseconds: number
}

async function load(server: ChildProcess, port: number): Promise<Measured> {
  const origin = `http://127.0.0.1:${port}`
  const before = await cpuOf(server)
  const result = await autocannon({
    url: `${origin}/token`,
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', cookie: 'shopper=ada', origin },
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

export const throughput: Bench = {
  title: `POST /token with a live lease, medians of ${rounds} rounds of ${seconds} s, bare and companion in turn`,
  async run() {
    const server = fork(fileURLToPath(new URL('contestants.ts', import.meta.url)))
    try {
      const [ports] = (await once(server, 'message')) as [Record<string, { bare: number; companion: number }>]
      const rows: Awaited<ReturnType<Bench['run']>> = {}
      for (const [framework, { bare, companion }] of Object.entries(ports)) {
        const pairs: { bare: Measured; companion: Measured }[] = []
        for (let round = 0; round <= rounds; round++) {
          const pair = { bare: await load(server, bare), companion: await load(server, companion) }
          // The first round warms up.
          if (round > 0) pairs.push(pair)
        }
        const ratios = {
          bare: 1,
          companion: rounded(median(pairs.map((pair) => pair.companion.perSecond / pair.bare.perSecond))),
        }
        for (const name of ['bare', 'companion'] as const) {
          const runs = pairs.map((pair) => pair[name])
          rows[`${framework}, ${name}`] = {
            'requests/s': Math.round(middle(runs, 'perSecond')),
            ratio: ratios[name],
            'p50 ms': middle(runs, 'p50'),
            'p99 ms': middle(runs, 'p99'),
            'CPU µs/request': middle(runs, 'cpuMicroseconds'),
          }
        }
      }
      return rows
    } finally {
      server.kill()
    }
  },
}
