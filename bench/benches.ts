/** Every bench, by the name that `pnpm bench` takes. */
import type { Bench } from './bench.ts'
import { opening } from './browser/opening.ts'
import { throughput } from './server/throughput.ts'

export const benches: Readonly<Record<string, Bench>> = { opening, throughput }
