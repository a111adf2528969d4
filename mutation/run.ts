/**
 * Mutates modules that handle money or trust in one place at a time, and runs their tests each time: prints the share of mutations
 * that they detect, and every one that survives. Below 90 % it fails.
 *
 *     node mutation/run.ts                all modules: hours on two cores
 *     node mutation/run.ts purchase      one module of mutation/modules.ts
 *     node mutation/run.ts purchase match decimal      only these files of it
 *     node mutation/run.ts purchase --every 4          a sample: every fourth line of each file
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installTools, root, run } from '../scripts/run.ts'
import { type Module, modules } from './modules.ts'

/** Not UTC, which would hide wrongly parsed dates. Tests cannot set it in the threads in which Stryker runs them. */
process.env.TZ = 'Asia/Tokyo'
const folder = join(root, '.cache', 'mutation')
const isModule = (name: string): name is keyof typeof modules => Object.hasOwn(modules, name)

const {
  positionals: [chosen, ...files],
  values: { every },
} = parseArgs({ allowPositionals: true, options: { every: { type: 'string' } } })
if (chosen !== undefined && !isModule(chosen))
  throw new Error(`There is no module "${chosen}". Choose from: ${Object.keys(modules).join(', ')}.`)
// Without any line Stryker would mutate everything.
if (every !== undefined && !/^[1-9]\d*$/.test(every))
  throw new Error(`--every takes a number of lines, such as 4, not "${every}".`)

installTools(import.meta.dirname)
// Some tests use the sandbox's widget page, which a fresh clone does not contain.
run(root, process.execPath, 'scripts/build.ts', '--stale')
mkdirSync(folder, { recursive: true })
for (const name of chosen === undefined ? Object.keys(modules).filter(isModule) : [chosen]) mutate(name)

function mutate(name: keyof typeof modules): void {
  const settings = join(folder, `${name}.json`)
  const module: Module = modules[name]
  const { mutate, tests, page } = module
  const mutated = mutate.flatMap((pattern) =>
    files.length > 0 ? files.map((file) => pattern.replace(/[^/]+(?=\.ts$)/, file)) : [pattern],
  )
  const sampled = every ? mutated.flatMap((pattern) => sample(pattern, Number(every))) : mutated
  writeFileSync(settings, JSON.stringify(settingsOf(name, module, sampled)))
  process.env.MUTATION_TESTS = JSON.stringify(tests)
  process.env.MUTATION_PAGE = page ?? ''
  process.env.MUTATION_SECONDS = `${secondsOf(module)}`
  run(root, join(import.meta.dirname, 'node_modules', '.bin', 'stryker'), 'run', settings)
}

/** Every so many lines of the files, as Stryker's ranges: it mutates what lies within one of these lines. */
function sample(pattern: string, every: number): string[] {
  return globSync(pattern, { cwd: root }).flatMap((file) => {
    const { length } = readFileSync(join(root, file), 'utf8').split('\n')
    return Array.from({ length: Math.floor(length / every) }, (_, index) => {
      const line = (index + 1) * every
      return `${file}:${line}-${line}`
    })
  })
}

/** Timeout of one test. */
function secondsOf({ areQuick }: Module): number {
  return areQuick ? 3 : 40
}

function settingsOf(name: string, module: Module, mutated: readonly string[]): object {
  return {
    mutate: mutated,
    plugins: [join(import.meta.dirname, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'mutation/vitest.config.ts', related: false },
    // Stryker would rewrite tsconfig.json with an API that TypeScript 7 lacks; Vitest needs none.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    // Browser tests mostly wait.
    concurrency: module.page ? 3 : 1,
    // The wording of messages does not affect money.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['apps', 'bench', 'docs/site', 'e2e', 'examples'],
    tempDirName: join('.cache', 'mutation', 'copy'),
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false },
    jsonReporter: { fileName: join('.cache', 'mutation', `${name}.report.json`) },
    thresholds: { high: 95, low: 90, break: 90 },
    timeoutMS: secondsOf(module) * 1_500,
    allowConsoleColors: false,
  }
}
