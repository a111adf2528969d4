/**
 * `purchase-widget serve` with hooks on the same machine.
 *
 *     node bench/serve.ts                requests a second beside the same companion embedded in a Node server, and memory at rest
 *     node bench/serve.ts 60             memory under so many minutes of load; fails when it grows, or when a request or a delivery does
 *     node bench/serve.ts 60 20          the same with so many requests a second (default 20)
 */
import { compare } from './serve/compare.ts'
import { loadFor } from './serve/loadFor.ts'

const [minutes, perSecond = 20] = process.argv.slice(2).map(Number)
if (minutes === undefined) await compare()
else process.exitCode = (await loadFor(minutes, perSecond)) ? 0 : 1
