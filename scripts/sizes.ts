/**
 * Measures what each build sends to a browser. `.size-limit.json` has the goals, and `scripts/sizes.json` the smallest sizes reached so far,
 * in bytes. While a goal is not met, a build must at least not grow.
 *
 *     node scripts/sizes.ts            fails for a build that is above its goal and larger than it was
 *     node scripts/sizes.ts --record   writes the sizes of today
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

export interface Measured {
  name: string
  /** Brotli, in bytes. */
  size: number
  /** The goal, in bytes. */
  sizeLimit: number
}

export type Reached = Readonly<Record<string, number>>

/** Returns a sentence for each build that has grown above its goal, or that was never recorded. */
export function grownOf(measured: readonly Measured[], reached: Reached): string[] {
  return measured
    .filter(({ name, size, sizeLimit }) => size > sizeLimit && size > (reached[name] ?? 0))
    .map(
      ({ name, size, sizeLimit }) =>
        `${name}: ${size} bytes, ${reached[name] ?? 'not recorded'} before; the goal is ${sizeLimit}.`,
    )
}

const file = join(root, 'scripts', 'sizes.json')

function measure(): Measured[] {
  const { stdout } = spawnSync('size-limit', ['--json'], { cwd: root, encoding: 'utf8' })
  return JSON.parse(stdout)
}

if (import.meta.main) {
  const measured = measure()
  if (process.argv.includes('--record')) {
    const sizes = Object.fromEntries(measured.map(({ name, size }) => [name, size]))
    writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`)
  }
  const grown = grownOf(measured, JSON.parse(readFileSync(file, 'utf8')))
  for (const sentence of grown) console.error(sentence)
  if (grown.length > 0) {
    console.error(
      'Make it smaller, or say in the commit what the bytes are for: node scripts/sizes.ts --record',
    )
    process.exitCode = 1
  } else console.log(`${measured.length} builds, none larger than before.`)
}
