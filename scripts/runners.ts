/** The test runners of this repository, in three tiers, and what they need. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { chromiumLaunch, firefoxLaunch, webkitPrograms } from './browsers.ts'
import { root } from './run.ts'
import { oneFailure, readPlaywright, readVitest, type Tally } from './tally.ts'

interface Runner {
  /** Its name in the output and on the command line. */
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
  /** Path of its report. */
  report: string
  read: (report: unknown) => Tally
  onlyByName?: boolean
}

const reports = join(root, '.cache', 'test')

/** For every change that is merged: everything, in every engine, and the packed packages in separate projects. */
const full: readonly Runner[] = [
  vitest('unit'),
  playwright('e2e', 'e2e/playwright.config.ts'),
  playwright('kit', 'e2e/kit/playwright.config.ts'),
  program('outside', 'e2e/outside/main.ts'),
]

export const tiers: Readonly<Record<'quick' | 'full' | 'evidence', readonly Runner[]>> = {
  /** For development, in under ten minutes on two cores: one engine, one React, no database server. */
  quick: [
    withEnv(vitest('unit', '--project=!react*-18'), { TEST_TIER: 'quick' }),
    withEnv(playwright('e2e', 'e2e/playwright.config.ts', '--project=chromium'), { TEST_TIER: 'quick' }),
  ],
  full,
  /** Plus what only a release needs: other runtimes, the documentation site, the start pages to the letter, and the Postgres clients of shops. */
  evidence: [
    ...full,
    vitest('runtimes', '--config', 'packages/server/runtimes/vitest.config.ts', 'routes', 'fulfilment'),
    playwright('docs', 'e2e/docs/playwright.config.ts'),
    program('quickstart', 'e2e/outside/quickstart.ts'),
    vitest('drivers', '--config', 'packages/server/runtimes/vitest.config.ts', 'prisma'),
    // Half an hour of load on a fleet.
    { ...vitest('soak', '--config', 'packages/server/test/soak/vitest.config.ts'), onlyByName: true },
  ],
}

/** Programs that the full tier and evidence require: neither starts while one is missing. */
const requirements = {
  Chromium: () => chromiumLaunch() !== null,
  Firefox: () => firefoxLaunch() !== null,
  'WebKit (webkit2gtk-driver and xvfb)': () => webkitPrograms() !== null,
  // Debian does not put the server's programs in the PATH. The tests look for these versions.
  postgresql: () => globSync('/usr/lib/postgresql/1{5,6,7}/bin/initdb').length > 0,
}

/** The names of the missing ones. */
export const missingPrograms = (table: Record<string, () => boolean> = requirements): string[] =>
  Object.entries(table)
    .filter(([, isThere]) => !isThere())
    .map(([name]) => name)

/** Runs one runner until it exits. A failure without a reported failed test counts as one failure. */
export async function run(runner: Runner, env: Record<string, string> = {}): Promise<Tally> {
  rmSync(runner.report, { force: true })
  mkdirSync(dirname(runner.report), { recursive: true })
  const exitCode = await execute(runner.command, runner.args, { ...runner.env, ...env })
  if (!existsSync(runner.report)) {
    console.error(`${runner.name}: ${runner.command} ended without a report (exit code ${exitCode}).`)
    return oneFailure(`${runner.name} as a whole`)
  }
  const tally = runner.read(JSON.parse(readFileSync(runner.report, 'utf8')))
  if (exitCode === 0 || tally.failed > 0) return tally
  console.error(
    `${runner.name}: ${runner.command} failed outside its tests (exit code ${exitCode}); see above.`,
  )
  return { ...tally, ...oneFailure(`${runner.name}, outside its tests`), passed: tally.passed }
}

/** Runs a program of the workspace in its own process group, and ends that group with it. */
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
      // The process group is already gone.
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

function withEnv(runner: Runner, env: Record<string, string>): Runner {
  return { ...runner, env: { ...runner.env, ...env } }
}

/** Vitest; `more` are additional arguments. */
function vitest(name: string, ...more: readonly string[]): Runner {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'vitest',
    args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more],
    report,
    read: readVitest,
  }
}

/** A program that writes its own tally to .cache/test/NAME.json. */
function program(name: string, file: string): Runner {
  const report = join(reports, `${name}.json`)
  return { name, command: 'node', args: [file], report, read: (tally) => tally as Tally }
}

/** Playwright with a configuration of the workspace; `more` are additional arguments. */
function playwright(name: string, config: string, ...more: readonly string[]): Runner {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'playwright',
    args: ['test', '--config', config, '--reporter=list,json', ...more],
    // Otherwise its cache of compiled tests would stay in the system's temporary folder.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PWTEST_CACHE_DIR: join(root, '.cache', 'playwright') },
    report,
    read: readPlaywright,
  }
}
