/** What the command line says of a merchant's module that it cannot use. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const cli = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const commands = [
  ['doctor', '--no-token'],
  ['dead-letters', 'list'],
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-module-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command writes to stderr before it exits 1. Nothing answers at the service's addresses. */
function refusalOf(command: readonly string[]): string {
  const { stderr, status } = spawnSync(process.execPath, [cli, ...command, '--module', './shop.mjs'], {
    encoding: 'utf8',
    cwd: folder,
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      PURCHASE_WIDGET_URL: 'http://localhost:1',
      PURCHASE_WIDGET_API_URL: 'http://localhost:1',
      PURCHASE_BASE_URL: 'http://localhost:1',
      PURCHASE_API_KEY: 'key',
      PURCHASE_SECRET_KEY: 'secret',
    },
  })
  expect(status).toBe(1)
  return stderr
}

const write = (source: string): void => writeFileSync(join(folder, 'shop.mjs'), source)

test('a module that is not there is a file that is not there', () => {
  rmSync(join(folder, 'shop.mjs'), { force: true })
  for (const command of commands)
    expect(refusalOf(command)).toMatch(
      /^--module: \.\/shop\.mjs cannot be loaded: there is no file \/\S+\/shop\.mjs\n$/,
    )
})

test.each([
  ["throw new Error('set DATABASE_URL\\nor not')", 'set DATABASE_URL'],
  ["throw Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })", 'ECONNREFUSED'],
  ["throw new RangeError('')", 'RangeError'],
  ["throw { some: ['thing'] }", "it threw { some: [ 'thing' ] }"],
  ["import 'no-such-package'", expect.stringMatching(/^Cannot find package 'no-such-package'/)],
  ['export const store =', expect.stringMatching(/^Unexpected/)],
])('of a module with %s it says why, in one line', (source, reason) => {
  write(source)
  const [line = '', ...more] = refusalOf(['dead-letters', 'list']).split('\n')
  expect(more).toEqual([''])
  expect(line.replace('--module: ./shop.mjs cannot be loaded: ', '')).toEqual(reason)
})

test.each(['export const companion = {}', "export const store = 'shop.sqlite'"])(
  'doctor says that a module with %s exports no store',
  (source) => {
    write(source)
    expect(refusalOf(['doctor', '--no-token'])).toMatch(
      /^--module: \.\/shop\.mjs exports no store: [^\n]+\n$/,
    )
  },
)
