/**
 * Prints what the tests promise: the titles of those that ran last, by part and file.
 *
 *     ENGINES=all node scripts/test.ts; node scripts/promises.ts
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { evidenceRunners } from './runners.ts'

const root = dirname(import.meta.dirname)

interface Promised {
  file: string
  title: string
}

interface Report {
  testResults?: readonly { name: string; assertionResults: readonly { fullName: string }[] }[]
  config?: { rootDir: string }
  suites?: readonly Suite[]
}

interface Suite {
  suites?: readonly Suite[]
  specs?: readonly { file: string; title: string }[]
}

const reports = evidenceRunners.map(({ report }) => report).filter((report) => existsSync(report))
const promised = reports.flatMap((report) => promisedIn(JSON.parse(readFileSync(report, 'utf8'))))
const parts = grouped(promised, ({ file }) => file.split('/').slice(0, 2).join('/'))
for (const [part, ofPart] of [...parts].toSorted(([a], [b]) => a.localeCompare(b))) {
  const files = grouped(ofPart, ({ file }) => file)
  console.log(`\n## ${part}: ${titlesOf(ofPart).length} promises in ${files.size} files`)
  for (const [file, ofFile] of files) console.log(`\n${file}\n\n- ${titlesOf(ofFile).join('\n- ')}`)
}

function grouped(all: readonly Promised[], keyOf: (one: Promised) => string): Map<string, Promised[]> {
  const groups = new Map<string, Promised[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** A test that runs in several browsers, or with several versions of React, is one promise. */
function titlesOf(all: readonly Promised[]): string[] {
  return [...new Set(all.map(({ title }) => title))]
}

function promisedIn({ testResults = [], config, suites = [] }: Report): Promised[] {
  const specsOf = ({ suites = [], specs = [] }: Suite): Promised[] => [
    ...suites.flatMap(specsOf),
    ...specs.map(({ file, title }) => ({ file: relative(root, join(config?.rootDir ?? root, file)), title })),
  ]
  return [
    ...testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName }) => ({ file: relative(root, name), title: fullName })),
    ),
    ...suites.flatMap(specsOf),
  ]
}
