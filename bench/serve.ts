/**
 * Memory of `purchase-widget serve` under load, with hooks on the same machine; fails when it grows, when requests are not answered, or when
 * a paid order is not delivered. `node bench/run.ts serving` compares its requests a second with those of the embedded companion.
 *
 *     node bench/serve.ts            an hour, at 20 requests a second
 *     node bench/serve.ts 5 100      so many minutes, at so many requests a second
 */
import { loadFor } from './serve/loadFor.ts'

const [minutes = 60, perSecond = 20] = process.argv.slice(2).map(Number)
process.exitCode = (await loadFor(minutes, perSecond)) ? 0 : 1
