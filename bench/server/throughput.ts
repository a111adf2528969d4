/** The companion's `POST /token` with a live lease, against a bare handler of the same framework, measured in turn. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { type Bench, median, rounded } from '../bench.ts'

const rounds = 5
const seconds = 2

interface Measured {
  perSecond: number
  p50: number
  p99: number
}

async function load(port: number): Promise<Measured> {
  const origin = `http://127.0.0.1:${port}`
  const result = await autocannon({
    url: `${origin}/token`,
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', cookie: 'shopper=ada', origin },
    connections: 20,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx.`)
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

const middle = (runs: Measured[], figure: keyof Measured): number =>
  rounded(median(runs.map((run) => run[figure])))

export const throughput: Bench = {
  title: `POST /token with a live lease: requests per second and ms, medians of ${rounds} rounds of ${seconds} s`,
  async run() {
    const child = fork(fileURLToPath(new URL('contestants.ts', import.meta.url)))
    try {
      const [ports] = (await once(child, 'message')) as [Record<string, { bare: number; companion: number }>]
      const rows: Awaited<ReturnType<Bench['run']>> = {}
      for (const [framework, { bare, companion }] of Object.entries(ports)) {
        await Promise.all([load(bare), load(companion)])
        const measured: { bare: Measured; companion: Measured }[] = []
        for (let round = 0; round < rounds; round++) {
          measured.push({ bare: await load(bare), companion: await load(companion) })
        }
        const ratio = median(measured.map((pair) => pair.companion.perSecond / pair.bare.perSecond))
        for (const name of ['bare', 'companion'] as const) {
          const runs = measured.map((pair) => pair[name])
          rows[`${framework}, ${name}`] = {
            'per second': middle(runs, 'perSecond'),
            'p50 ms': middle(runs, 'p50'),
            'p99 ms': middle(runs, 'p99'),
            ratio: name === 'bare' ? 1 : rounded(ratio),
          }
        }
      }
      return rows
    } finally {
      child.kill()
    }
  },
}
