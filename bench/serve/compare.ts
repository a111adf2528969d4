/** `GET /launch` through `serve` beside the embedded companion, in turn, and the memory of each at rest. */
import autocannon from 'autocannon'
import { type Bench, interleave, type Rows, rounded, rowsOf } from '../bench.ts'
import { type Contestant, navigation, startContestant, startSurroundings } from './start.ts'

const SHOPPERS = 1_000
const SECONDS = 4
const MB = 1_048_576

export const serving: Bench = {
  title: `GET /launch embedded, and through serve with hooks on the same machine; ${SECONDS} s, 20 connections`,
  runs: 7,
  async run(runs) {
    const surroundings = await startSurroundings()
    const contestants = new Map<string, Contestant>()
    const atRest: Rows = {}
    for (const kind of ['embedded', 'serve'] as const) {
      const contestant = await startContestant(kind, surroundings)
      contestants.set(kind, contestant)
      const { heap, resident } = await contestant.usage()
      atRest[kind] = {
        'heap at rest, MB': rounded(heap / MB),
        'resident at rest, MB': Math.round(resident / MB),
      }
      // What is compiled first is no part of a round.
      await load(contestant)
    }
    const measured = await interleave([...contestants.keys()], runs, async (kind) => {
      surroundings.shop.calls.length = 0
      return load(contestants.get(kind))
    })
    for (const contestant of contestants.values()) await contestant.close()
    await surroundings.close()
    const rows = rowsOf(measured, () => 'embedded')
    return Object.fromEntries(Object.entries(rows).map(([kind, row]) => [kind, { ...row, ...atRest[kind] }]))
  },
}

async function load(contestant: Contestant | undefined): Promise<Record<string, number>> {
  if (!contestant) throw new Error('There is no such contestant.')
  const before = await contestant.usage()
  const { requests, latency, ...counted } = await autocannon({
    url: `${contestant.address}/launch?product_id=gold-100`,
    connections: 20,
    duration: SECONDS,
    requests: Array.from({ length: SHOPPERS }, (_, shopper) => ({ headers: navigation(shopper) })),
  })
  const others = requests.total - counted['3xx']
  if (others > 0) throw new Error(`${others} of ${requests.total} links did not lead to the widget.`)
  const after = await contestant.usage()
  return {
    'requests/s': requests.average,
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    'CPU µs/request': (after.cpuMicroseconds - before.cpuMicroseconds) / requests.total,
  }
}
