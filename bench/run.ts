/**
 * Runs the benches, one after the other, and prints a table for each.
 *
 *     node bench/run.ts              all of them
 *     node bench/run.ts opening      only the named ones
 */
import { benches } from './benches.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in benches))
if (unknown)
  throw new Error(`There is no bench "${unknown}". Choose from: ${Object.keys(benches).join(', ')}.`)

for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${bench.title}`)
  console.table(await bench.run())
}
