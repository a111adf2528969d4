/** The test runners of this repository, and how to add up what they report. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

export interface Tally {
  passed: number
  failed: number
  skipped: number
}

interface Runner {
  /** What it is called in the output, and on the command line. */
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
  /** The report that it writes. */
  report: string
  read: (report: unknown) => Tally
}

const reports = join(root, '.cache', 'test')

export const runners: readonly Runner[] = [
  vitest('unit'),
  playwright('e2e', 'e2e/playwright.config.ts'),
  playwright('kit', 'e2e/kit/playwright.config.ts'),
  playwright('examples', 'examples/test/playwright.config.ts'),
  {
    name: 'outside',
    command: 'node',
    args: ['e2e/outside/main.ts'],
    report: join(reports, 'outside.json'),
    read: (report) => report as Tally,
  },
]

/** Those of `test`, and what takes downloads of its own: the companion on other runtimes, the documentation site. */
export const evidenceRunners: readonly Runner[] = [
  ...runners,
  vitest('runtimes', '--config', 'packages/server/runtimes/vitest.config.ts'),
  playwright('docs', 'e2e/docs/playwright.config.ts'),
]

/** Half an hour of a fleet under load. */
export const soak: Runner = vitest('soak', '--config', 'packages/server/test/soak/vitest.config.ts')

/** Runs one runner to its end. One that fails without saying which test failed counts as one failure. */
export async function run(runner: Runner, env: Record<string, string> = {}): Promise<Tally> {
  rmSync(runner.report, { force: true })
  mkdirSync(dirname(runner.report), { recursive: true })
  const exitCode = await execute(runner.command, runner.args, { ...runner.env, ...env })
  if (!existsSync(runner.report)) {
    console.error(`${runner.name}: ${runner.command} ended without a report (exit code ${exitCode}).`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const tally = runner.read(JSON.parse(readFileSync(runner.report, 'utf8')))
  if (exitCode === 0 || tally.failed > 0) return tally
  console.error(
    `${runner.name}: ${runner.command} failed outside its tests (exit code ${exitCode}); see above.`,
  )
  return { ...tally, failed: 1 }
}

/** Runs a program of the workspace in a process group of its own, and ends that group with it. */
export async function execute(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
      ...env,
    },
  })
  const endGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid) process.kill(-child.pid, signal)
    } catch {
      // Nothing of the group is left.
    }
  }
  const interrupt = (signal: NodeJS.Signals): void => {
    endGroup(signal)
    process.exitCode = 130
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const [code, signal] = await once(child, 'exit')
    if (process.exitCode === 130) process.exit()
    return code ?? (signal ? 1 : 0)
  } finally {
    endGroup('SIGKILL')
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

interface VitestReport {
  testResults: { status: string; assertionResults: VitestResult[] }[]
}

interface VitestResult {
  status: string
  failureMessages: string[]
}

/** Also one that passed when it was repeated: then the messages of the attempts before are in the report. */
const hasFailed = ({ status, failureMessages }: VitestResult): boolean =>
  status === 'failed' || (status === 'passed' && failureMessages.length > 0)

function tallyVitest({ testResults }: VitestReport): Tally {
  const tests = testResults.flatMap((file) => file.assertionResults)
  const failed = tests.filter(hasFailed).length
  // A file that could not be loaded has no tests to fail.
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const passed = tests.filter((test) => test.status === 'passed' && !hasFailed(test)).length
  return { passed, failed: failed + broken, skipped: tests.length - passed - failed }
}

/** Vitest; `more` are arguments of its own. */
function vitest(name: string, ...more: readonly string[]): Runner {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'vitest',
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more],
    report,
    read: (report) => tallyVitest(report as VitestReport),
  }
}

/** Playwright with a configuration of the workspace; `more` are arguments of its own. */
export function playwright(name: string, config: string, ...more: readonly string[]): Runner {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'playwright',
    args: ['test', '--config', config, '--reporter=list,json', ...more],
    // Its cache of compiled tests would stay in the machine's temporary folder.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PWTEST_CACHE_DIR: join(root, '.cache', 'playwright') },
    report,
    read: (report) => tallyPlaywright(report as PlaywrightReport),
  }
}

interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number }
  errors: unknown[]
}

function tallyPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    // A test that passed when it was repeated has failed once.
    failed: stats.flaky + stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}
