/**
 * What a browser downloads, minified and compressed with brotli, beside its budget in `.size-limit.json`. A budget is what we aim for: this
 * fails while something is larger.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Measured {
  name: string
  size: number
  passed: boolean
}

const { stdout, stderr } = spawnSync('size-limit', ['--json'], { encoding: 'utf8' })
if (!stdout.trim()) throw new Error(`size-limit measured nothing: ${stderr}`)
const measured = JSON.parse(stdout) as Measured[]
const budgets = JSON.parse(readFileSync('.size-limit.json', 'utf8')) as { name: string; limit: string }[]

console.table(
  Object.fromEntries(
    measured.map(({ name, size, passed }) => [
      name,
      {
        bytes: size,
        budget: budgets.find((budget) => budget.name === name)?.limit,
        verdict: passed ? 'within' : 'over',
      },
    ]),
  ),
)
if (measured.some(({ passed }) => !passed)) process.exitCode = 1
