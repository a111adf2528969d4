/** The tests that docs/interface-coverage.md names for the statements of the service's interface, and what a run of Vitest says of them. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { VitestReport } from './tally.ts'

const root = dirname(import.meta.dirname)

export interface NamedTest {
  package: string
  /** From the root of the repository. */
  file: string
  /** As in the source: of a table of tests, with its placeholders. */
  title: string
}

export interface Statement {
  statement: string
  tests: readonly NamedTest[]
}

/** The rows of the page's tables, section by section. */
export const sectionsOf = (page: string): readonly { number: string; statements: readonly Statement[] }[] =>
  page
    .split(/^## (?=\d\. )/m)
    .slice(1)
    .map((section) => ({ number: section.charAt(0), statements: statementsOf(section) }))

const statementsOf = (section: string): Statement[] =>
  section
    .split('\n')
    .filter((line) => line.includes('](../packages/'))
    .map((line) => ({
      statement: line.split(' | ')[0]?.replace('| ', '') ?? '',
      tests: [...line.matchAll(/\[(\w+)\]\(\.\.\/(packages\/[^ )]+) (["'])(.+?)\3\)/g)].map(
        ([, name = '', file = '', , title = '']) => ({ package: name, file, title }),
      ),
    }))

/** The sandbox's own tests of the interface, whose titles begin with the section that they test. */
export const sandboxTests = (): NamedTest[] =>
  globSync('packages/sandbox/test/interface/section*.test.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?<!describe\()'([24578](?:\.\d)? [^'\n]+)'/g)].map(
      ([, title = '']) => ({ package: 'sandbox', file, title }),
    ),
  )

/** Those that this run has neither passed nor left out for want of a program, each as one line. */
export function notPassed(named: readonly NamedTest[], { testResults }: VitestReport): string[] {
  return named
    .filter(({ file, title }) => {
      const pattern = patternOf(title)
      return !testResults
        .filter(({ name }) => isIn(file, relative(root, name)))
        .flatMap(({ assertionResults }) => assertionResults)
        .some((test) => pattern.test(test.title) && runOrLeftOut.has(test.status))
    })
    .map(({ file, title }) => `${file}: ${title}: a test of the interface, and was not run`)
}

/** A suite that several files run is in the report under their names. */
const isIn = (file: string, ran: string): boolean =>
  file.includes('.test.') ? ran === file : dirname(ran) === dirname(file)

const runOrLeftOut: ReadonlySet<string> = new Set(['passed', 'skipped', 'pending'])

/** What Vitest fills in: `%s`, `$name` and, in a template, `${…}`. */
const placeholder = /%[sdifjo]|\$\{.*?\}|\$\w+/g

function patternOf(title: string): RegExp {
  const parts = title.split(placeholder).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
