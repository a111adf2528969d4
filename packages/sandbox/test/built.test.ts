// Promise: sandbox/built
/** The package as a project has it that installs it: built, alone, and perhaps with a Node that is too old. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startCli } from './support/cli.ts'
import { test } from './support/service.ts'

test('the command has been built', () => {
  expect(existsSync(join(import.meta.dirname, '../dist/cli.js')), 'Run node scripts/build.ts sandbox.').toBe(
    true,
  )
})

test('the built package starts alone, so that a start loads no other package’s files', async ({ folder }) => {
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true })
  const cli = await startCli([], join(folder, 'bin/sandbox.cjs'))
  expect(await cli.stop()).toBe(0)
})

/** Leaves out what an old Node does not have. */
const pretend = `
  Object.defineProperty(process.versions, 'node', { value: '20.19.4' })
  process.getBuiltinModule = () => undefined
`

test.for(['index', 'testing/index', 'testing/playwright'])(
  'src/%s.ts says what it needs, where an old Node imports it',
  (entry) => {
    const file = join(import.meta.dirname, `../src/${entry}.ts`)
    const script = `${pretend}; import(${JSON.stringify(file)}).catch(({ message }) => console.log(message))`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual([
      'The sandbox needs Node 22.13 or newer, and this is Node 20.19.4.\n',
      '',
    ])
  },
)

// Promise: cli/old-node
test('the launcher says in one sentence that Node is too old, before it loads anything else', () => {
  const launcher = join(import.meta.dirname, '../bin/sandbox.cjs')
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.19.4' });"
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['-e', `${pretend} require(${JSON.stringify(launcher)})`],
    { encoding: 'utf8' },
  )
  expect([stdout, stderr, status]).toEqual([
    '',
    'The sandbox needs Node 22.13 or newer, and this is Node 20.19.4.\n',
    1,
  ])
})
