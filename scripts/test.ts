/**
 * Runs the tests, and ends with one line: `N passed, N failed` (and `, N skipped`).
 *
 *     node scripts/test.ts                 the quick tier: Chromium, one React, no database server
 *     ENGINES=all node scripts/test.ts     the full tier; every engine and database server must be on the machine
 *     node scripts/test.ts e2e             one runner of a tier: scripts/runners.ts has their names
 */
import { chromiumLaunch, installChromium, missingPrograms } from './browsers.ts'
import { execute, fullRunners, quickRunners, run } from './runners.ts'
import { add, none, oneFailure, slowestOf, type Tally } from './tally.ts'

const isFull = process.env.ENGINES === 'all'
const runners = isFull ? fullRunners : quickRunners
const noChromium = 'Chromium is not on this machine: its tests were not run.\n'
const names = process.argv.slice(2)
const unknown = names.find((name) => !runners.some((runner) => runner.name === name))
if (unknown) {
  throw new Error(`There is no "${unknown}". Choose from: ${runners.map(({ name }) => name).join(', ')}.`)
}

if (!chromiumLaunch()) installChromium()
const missing = missingPrograms()
if (isFull && missing.length > 0) {
  throw new Error(`Not on this machine: ${missing.join(', ')}. .ci/run installs them on Debian.`)
}
const total = await runAll()
console.log(`\nThe slowest files:\n${slowestOf(total)}`)
console.log(`${namesOf(total)}${chromiumLaunch() ? '' : noChromium}${summary(total)}`)
process.exitCode = total.failed === 0 ? 0 : 1

async function runAll(): Promise<Tally> {
  if ((await execute('node', ['scripts/build.ts', '--stale'])) !== 0) return oneFailure('the build')
  let total = none
  for (const runner of runners) {
    if (names.length > 0 && !names.includes(runner.name)) continue
    console.log(`\n> ${runner.name}`)
    const began = Date.now()
    total = add(total, await run(runner))
    console.log(`${runner.name} took ${Math.round((Date.now() - began) / 1_000)} s.`)
  }
  return total
}

/** The end of a long log must say what to look for in it. */
function namesOf({ failures }: Tally): string {
  return failures.map((name) => `Failed: ${name}\n`).join('')
}

function summary({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
