/**
 * Lists the promises of PROMISES.md, each with the tests that hold it. Fails when a promise has no test, or a test file no promise.
 *
 *     node scripts/promises.ts              all of them
 *     node scripts/promises.ts popup        those with that word in sentence, id or path
 *     node scripts/promises.ts --summary    how many there are
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markersIn, problemsOf, promisesIn } from './markers.ts'
import { root } from './run.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
const sources = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)))
const testFiles = sources.filter((path) => /\.(test|spec|suite|soak)\.tsx?$/.test(path))
const promises = promisesIn(read('PROMISES.md'))
const markers = sources.flatMap((path) => markersIn(path, read(path)))

const [word = ''] = process.argv.slice(2)
if (word !== '--summary') {
  for (const { id, sentence } of promises) {
    const places = markers.filter((marker) => marker.id === id).map(({ file, line }) => `    ${file}:${line}`)
    const entry = [`${id}: ${sentence}`, ...places].join('\n')
    if (entry.toLowerCase().includes(word.toLowerCase())) console.log(entry)
  }
}

const problems = problemsOf(promises, markers, testFiles)
for (const problem of problems) console.error(problem)
console.log(`${promises.length} promises, ${testFiles.length} test files, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
