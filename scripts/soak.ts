/**
 * Runs the scenarios about windows and timing again and again, in every engine, beside a process that keeps one core busy. Nothing is
 * repeated: one failure fails the run.
 *
 *     node scripts/soak.ts          nine passes of the four files: 216 scenario runs in each engine, about 40 minutes on two cores
 *     node scripts/soak.ts 1        one pass
 */
import { spawn } from 'node:child_process'
import { missingPrograms } from './requirements.ts'
import { playwright, run } from './runners.ts'

const files = ['openAndClose', 'popupToken', 'popupBlocker', 'history']
const passes = Number(process.argv[2] ?? 9)
if (!Number.isInteger(passes) || passes < 1) throw new Error('Give the number of passes, at least 1.')

const missing = missingPrograms()
if (missing.length > 0) {
  console.error(`Not on this machine: ${missing.join(', ')}. .ci/run installs them on Debian.`)
  process.exit(1)
}

const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
try {
  const scenarios = playwright('soak', 'e2e/playwright.config.ts', ...files, `--repeat-each=${passes}`)
  const { passed, failed, skipped } = await run(scenarios, { ENGINES: 'all' })
  console.log(
    `\n${files.join(', ')}, ${passes} passes: ${passed} passed, ${failed} failed, ${skipped} skipped`,
  )
  process.exitCode = failed + skipped === 0 ? 0 : 1
} finally {
  busy.kill()
}
