/**
 * What a browser downloads, minified and compressed with brotli, beside its budget.
 *
 * The budgets are what we aim for. The limits in `.size-limit.json` are where we are: a change that makes something larger
 * fails here, also where the budget is not met yet.
 */
import { spawnSync } from 'node:child_process'

interface Measured {
  name: string
  size: number
  passed: boolean
}

const loader = 'loader, everything in one ESM import'
const loaderAndReact = 'loader and React bindings'
const react = 'React bindings, on top of the loader'

/** Bytes. */
const budgets: Record<string, number> = {
  [loader]: 5200,
  'script-tag file': 5800,
  'return kit alone': 700,
  'stub that queues calls': 300,
  [react]: 1000,
}

const { stdout, stderr } = spawnSync('size-limit', ['--json'], { encoding: 'utf8' })
if (!stdout.trim()) throw new Error(`size-limit measured nothing: ${stderr}`)
const measured = JSON.parse(stdout) as Measured[]

const sizes = new Map(measured.map(({ name, size }) => [name, size]))
sizes.set(react, sizeOf(loaderAndReact) - sizeOf(loader))

console.table(
  Object.fromEntries(
    Object.entries(budgets).map(([name, budget]) => {
      const size = sizeOf(name)
      return [name, { bytes: size, budget, verdict: size <= budget ? 'within' : `${size - budget} over` }]
    }),
  ),
)

for (const { name, size } of measured.filter(({ passed }) => !passed)) {
  console.error(`${name}: ${size} bytes is more than its limit in .size-limit.json.`)
  process.exitCode = 1
}

function sizeOf(name: string): number {
  const size = sizes.get(name)
  if (size === undefined) throw new Error(`.size-limit.json has no row "${name}".`)
  return size
}
