/** Every bench, by the name that `pnpm bench` takes. */
import type { Bench } from './bench.ts'
import { leftovers } from './browser/leftovers.ts'
import { opening } from './browser/opening.ts'
import { parsing } from './browser/parsing.ts'
import { throughput } from './server/throughput.ts'

export const benches: Readonly<Record<string, Bench>> = { opening, parsing, leftovers, throughput }
