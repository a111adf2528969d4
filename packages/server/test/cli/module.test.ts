// Promise: cli/module
/** What the command line says of a merchant's module that it cannot use. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'
import { variables } from '../support/settings.ts'

const commands = [
  ['doctor', '--no-token'],
  ['dead-letters', 'list'],
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-module-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command writes to stderr before it exits 1. */
async function refusalOf(command: readonly string[]): Promise<string> {
  const { code, stderr } = await runCli([...command, '--module', './shop.mjs'], variables, folder)
  expect(code).toBe(1)
  return stderr
}

const write = (source: string): void => writeFileSync(join(folder, 'shop.mjs'), source)

test('a missing module is reported as a missing file', async () => {
  rmSync(join(folder, 'shop.mjs'), { force: true })
  for (const command of commands)
    expect(await refusalOf(command)).toMatch(
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
])('of a module with %s it says why, in one line', async (source, reason) => {
  write(source)
  const [line = '', ...more] = (await refusalOf(['dead-letters', 'list'])).split('\n')
  expect(more).toEqual([''])
  expect(line.replace('--module: ./shop.mjs cannot be loaded: ', '')).toEqual(reason)
})

test.each(['export const companion = {}', "export const store = 'shop.sqlite'"])(
  'doctor says that a module with %s exports no store',
  async (source) => {
    write(source)
    expect(await refusalOf(['doctor', '--no-token'])).toMatch(
      /^--module: \.\/shop\.mjs exports no store: [^\n]+\n$/,
    )
  },
)
