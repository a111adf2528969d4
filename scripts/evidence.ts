/**
 * Runs every proof in full, and leaves one JSON file and one page in .cache/evidence. It does not begin without every engine and Postgres, and
 * a test that was skipped all the same counts as failed: a figure stands for what was run.
 *
 *     node scripts/evidence.ts            everything but `soak`: some hours on two cores
 *     node scripts/evidence.ts NAME       one runner of scripts/runners.ts, such as `unit`, `e2e`, `outside`, `quickstart`, `runtimes`, `drivers`, `kit`, `docs` or `soak`
 *     node scripts/evidence.ts e2e matrix --shard=1/4        a part of it: what follows the name is the runner's own
 *
 * What was measured on this commit before is in them too, so that the whole can be run in parts.
 */
import { missingPrograms } from './browsers.ts'
import { openFigures } from './figures.ts'
import { evidenceRunners, execute, run, soak } from './runners.ts'

const [name, ...part] = process.argv.slice(2)

const all = [...evidenceRunners, soak]
if (name && !all.some((runner) => runner.name === name))
  throw new Error(`There is no "${name}". Choose from: ${all.map(({ name }) => name).join(', ')}.`)

const missing = missingPrograms()
if (missing.length > 0) {
  console.error(
    `Not on this machine: ${missing.join(', ')}. Evidence needs all of them; .ci/run installs them on Debian.`,
  )
  process.exit(1)
}

const figures = openFigures()
let failed = await execute('node', ['scripts/build.ts', '--stale'])
for (const runner of name ? all.filter((one) => one.name === name) : evidenceRunners) {
  const began = Date.now()
  const tally = await run(
    { ...runner, args: [...runner.args, ...part] },
    { EVIDENCE: 'full', EVIDENCE_FILE: figures.file, ENGINES: 'all' },
  )
  const minutes = Math.round((Date.now() - began) / 60_000)
  const date = new Date(began).toISOString().slice(0, 10)
  figures.addRun({
    run: [runner.name, ...part].join(' '),
    date,
    minutes,
    passed: tally.passed,
    failed: tally.failed,
    skipped: tally.skipped,
  })
  failed += tally.failed + tally.skipped
}

console.log(`\n${figures.write()}`)
if (failed > 0) console.log(`\n${failed} failed or skipped: the figures above are not complete.`)
process.exitCode = failed === 0 ? 0 : 1
