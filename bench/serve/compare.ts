/** `GET /launch` through `serve` beside the embedded companion, in turn, and the memory of each at rest. */
import autocannon from 'autocannon'
import { interleave, rounded, rowsOf } from '../bench.ts'
import { type Contestant, navigation, startContestant, startSurroundings } from './start.ts'

const SHOPPERS = 1_000
const ROUNDS = 7
const SECONDS = 4
const MB = 1_048_576

export async function compare(): Promise<void> {
  const surroundings = await startSurroundings()
  const contestants = {
    embedded: await startContestant('embedded', surroundings),
    serve: await startContestant('serve', surroundings),
  }
  const rest: Record<string, object> = {}
  for (const [kind, contestant] of Object.entries(contestants)) {
    const { heap, resident } = await contestant.usage()
    rest[kind] = { 'live heap, MB': rounded(heap / MB), 'resident, MB': Math.round(resident / MB) }
    // What is compiled first is no part of a round.
    await load(contestant)
  }
  const measured = await interleave(Object.keys(contestants), ROUNDS, async (kind) => {
    surroundings.shop.calls.length = 0
    return load(contestants[kind as keyof typeof contestants])
  })
  const title = `GET /launch, ${ROUNDS} rounds of ${SECONDS} s in turn, 20 connections: medians (and the middle half)`
  console.log(`\n${title}`)
  console.table(rowsOf(measured, () => 'embedded'))
  console.log('\nMemory at rest')
  console.table(rest)
  for (const contestant of Object.values(contestants)) await contestant.close()
  await surroundings.close()
}

async function load({ address, usage }: Contestant): Promise<Record<string, number>> {
  const before = await usage()
  const { requests, latency, ...counted } = await autocannon({
    url: `${address}/launch?product_id=gold-100`,
    connections: 20,
    duration: SECONDS,
    requests: Array.from({ length: SHOPPERS }, (_, shopper) => ({ headers: navigation(shopper) })),
  })
  const others = requests.total - counted['3xx']
  if (others > 0) throw new Error(`${others} of ${requests.total} links did not lead to the widget.`)
  const after = await usage()
  return {
    'requests/s': requests.average,
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    'CPU µs/request': (after.cpuMicroseconds - before.cpuMicroseconds) / requests.total,
  }
}
