/**
 * Lists the promises in PROMISES.md, each with its tests, which are marked by comments `// Promise: <id>`. Fails when a promise has no
 * test, or a test file has no promise.
 *
 *     node scripts/promises.ts              all of them
 *     node scripts/promises.ts popup        those with this word in sentence, id or path
 *     node scripts/promises.ts --summary    how many there are
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

interface Promised {
  id: string
  sentence: string
}

interface Marker {
  id: string
  file: string
  line: number
}

export const promisesIn = (page: string): readonly Promised[] =>
  [...page.matchAll(/^- `(\S+)` (.+)$/gm)].map(([, id = '', sentence = '']) => ({ id, sentence }))

/** A marker is at the top of a test file, or above the part that covers the promise. */
export const markersIn = (file: string, source: string): readonly Marker[] =>
  source.split('\n').flatMap((text, index) =>
    (/^\s*\/\/ Promises?: (.+)$/.exec(text)?.[1]?.split(', ') ?? []).map((id) => ({
      id,
      file,
      line: index + 1,
    })),
  )

export function problemsOf(
  promises: readonly Promised[],
  markers: readonly Marker[],
  testFiles: readonly string[],
): readonly string[] {
  const ids = promises.map(({ id }) => id)
  return [
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} is promised twice.`),
    ...ids.filter((id) => !markers.some((marker) => marker.id === id)).map((id) => `${id} has no test.`),
    ...markers
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, file, line }) => `${file}:${line}: PROMISES.md has no ${id}.`),
    ...testFiles
      .filter((path) => !markers.some(({ file }) => file === path))
      .map((path) => `${path} holds no promise.`),
  ]
}

function report(word: string): void {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
  const sources = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(root, path)))
  const testFiles = sources.filter((path) => /\.(test|spec|suite|soak)\.tsx?$/.test(path))
  const promises = promisesIn(read('PROMISES.md'))
  const markers = sources.flatMap((path) => markersIn(path, read(path)))

  if (word !== '--summary') {
    for (const { id, sentence } of promises) {
      const places = markers
        .filter((marker) => marker.id === id)
        .map(({ file, line }) => `    ${file}:${line}`)
      const entry = [`${id}: ${sentence}`, ...places].join('\n')
      if (entry.toLowerCase().includes(word.toLowerCase())) console.log(entry)
    }
  }

  const problems = problemsOf(promises, markers, testFiles)
  for (const problem of problems) console.error(problem)
  console.log(`${promises.length} promises, ${testFiles.length} test files, ${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

if (import.meta.main) report(process.argv[2] ?? '')
