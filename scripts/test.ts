/**
 * Runs the tests, and ends with one line: `N passed, N failed` (and `, N skipped`).
 *
 *     node scripts/test.ts                 the quick tier: Chromium, one React, no database server
 *     ENGINES=all node scripts/test.ts     the full tier; every engine and database server must be on the machine
 *     node scripts/test.ts --evidence      every proof in full: some hours on two cores. Writes one JSON file and one page to .cache/evidence
 *     node scripts/test.ts e2e matrix --shard=1/4      one runner of scripts/runners.ts; further arguments are passed to it
 *
 * In evidence, a figure requires an actual run: skipped tests count as failed. Earlier measurements on this commit are also on the page,
 * so that the whole can be run in parts.
 */
import { chromiumLaunch, installChromium } from './browsers.ts'
import { openFigures } from './figures.ts'
import { execute, missingPrograms, run, tiers } from './runners.ts'
import { add, none, oneFailure, slowestOf, type Tally } from './tally.ts'

const given = process.argv.slice(2)
const isEvidence = given[0] === '--evidence'
const [name, ...part] = isEvidence ? given.slice(1) : given
const tier = isEvidence ? 'evidence' : process.env.ENGINES === 'all' ? 'full' : 'quick'
const runners = tiers[tier].filter((runner) => (name ? runner.name === name : !runner.onlyByName))
if (runners.length === 0) {
  throw new Error(`There is no "${name}". Choose from: ${tiers[tier].map(({ name }) => name).join(', ')}.`)
}

if (!chromiumLaunch()) installChromium()
const missing = missingPrograms()
if (tier !== 'quick' && missing.length > 0) {
  throw new Error(`Not installed: ${missing.join(', ')}. .ci/run installs them on Debian.`)
}
const figures = isEvidence ? openFigures() : null
const total = await runAll()
console.log(`\nThe slowest files:\n${slowestOf(total)}`)
if (figures) console.log(figures.write())
for (const failure of total.failures) console.log(`Failed: ${failure}`)
if (!chromiumLaunch()) console.log('Chromium is not installed: its tests were not run.')
console.log(summary(total))
process.exitCode = total.failed + (isEvidence ? total.skipped : 0) === 0 ? 0 : 1

async function runAll(): Promise<Tally> {
  if ((await execute('node', ['scripts/build.ts', '--stale'])) !== 0) return oneFailure('the build')
  let total = none
  for (const runner of runners) {
    console.log(`\n> ${runner.name}`)
    const began = Date.now()
    const tally = await run({ ...runner, args: [...runner.args, ...part] }, figures?.env)
    figures?.addRun([runner.name, ...part].join(' '), began, tally)
    total = add(total, tally)
    console.log(`${runner.name} took ${Math.round((Date.now() - began) / 1_000)} s.`)
  }
  return total
}

function summary({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
