/** Every bench, by the name that `pnpm bench` takes. */
import type { Bench } from './bench.ts'
import { leftovers } from './browser/leftovers.ts'
import { mounting } from './browser/mounting.ts'
import { opening } from './browser/opening.ts'
import { parsing } from './browser/parsing.ts'
import { task } from './browser/task.ts'
import { serving } from './serve/compare.ts'
import { throughput } from './server/throughput.ts'

export const benches: Readonly<Record<string, Bench>> = {
  parsing,
  task,
  opening,
  mounting,
  leftovers,
  throughput,
  serving,
}
