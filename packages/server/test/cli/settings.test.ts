// Promise: cli/module
/** The message about an unusable module or variable of the merchant's: one line, without a value. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clientFromEnv } from '../../src/index.ts'
import { runCli } from '../support/cli.ts'
import { companionOf, post, shopOrigin } from '../support/companion.ts'
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
])('a module with %s is reported in one line, with the reason', async (source, reason) => {
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

// Promise: doctor/names
const right = { ...variables, PURCHASE_API_KEY: 'api-key-1', PURCHASE_SECRET_KEY: 'secret-key-1' }
/** Values that must not appear. */
const secret = /hunter2|two words|another-key-2|secret-key-1|api-key-1/

afterEach(() => void vi.unstubAllEnvs())

const wrong = [
  ['PURCHASE_BASE_URL', 'http://api.service.example', 'must use https'],
  ['PURCHASE_USER_BASE_URL', 'http://users.service.example/v1', 'must use https'],
  ['PURCHASE_WIDGET_URL', 'widget.service.example', 'must be a full address'],
  ['PURCHASE_WIDGET_API_URL', 'https://me:hunter2@tokens.service.example', 'must not hold a user name'],
  ['PURCHASE_WIDGET_API_URL', 'https://tokens.service.example?key=hunter2', 'must not have a query'],
  ['PURCHASE_BASE_URL', 'another-key-2', 'must be a full address'],
  ['PURCHASE_API_KEY', 'two words', 'must be a key without spaces'],
] as const

test.each(wrong)('clientFromEnv names %s=%s', (name, value, expected) => {
  const named = new RegExp(`configuration: ${name} ${expected}`)
  expect(() => clientFromEnv({ ...right, [name]: value })).toThrow(named)
  expect(() => clientFromEnv({ ...right, [name]: value })).not.toThrow(secret)
})

// The other messages take the same path.
test('the doctor prints the message of the client, and no more', async () => {
  const [name, value, expected] = wrong[3]
  const { code, stdout, stderr } = await runCli(['doctor'], { ...right, [name]: value })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(new RegExp(`^configuration: ${name} ${expected}[^\\n]+\\n$`))
  expect(stderr).not.toMatch(secret)
})

test('a file .env is read, but not a folder of that name, such as the virtual environment of a Python shop', async () => {
  const named = join(folder, '.env')
  const { PURCHASE_API_KEY: _, ...others } = right
  for (const make of [() => mkdirSync(named), () => writeFileSync(named, 'PURCHASE_API_KEY=two words')]) {
    make()
    const { code, stderr } = await runCli(['doctor', '--no-token'], others, folder)
    rmSync(named, { recursive: true })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^configuration: [^\n]+\n$/)
  }
})

test.each([
  ['PURCHASE_BASE_URL', 'http://api.service.example', 'must use https'],
  ['PURCHASE_COMPANION_URL', 'http://shop.example/api', 'must use https'],
  ['PURCHASE_COMPANION_URL', 'shop', 'must be a full address'],
  ['PURCHASE_COMPANION_URL', `https://shop.example/${'long/'.repeat(20)}`, 'may have at most'],
])('onError of a companion names %s=%s', async (name, value, expected) => {
  for (const [each, given] of Object.entries({ ...right, [name]: value })) vi.stubEnv(each, given)
  const onError = vi.fn()
  const companion = companionOf(undefined, { allowedOrigins: [shopOrigin], onError })
  expect((await companion.fetch(post('/launch', {}, 'ada'))).status).toBe(503)
  expect(onError.mock.calls.map(([error]) => error.message)).toEqual([
    expect.stringContaining(`${name} ${expected}`),
  ])
})
