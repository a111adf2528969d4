/** A Node that is too old, where the package is imported: the command line's sentence, not the name of a missing module. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Leaves out what such a Node does not have. */
const pretend = `
  Object.defineProperty(process.versions, 'node', { value: '20.19.4' })
  process.getBuiltinModule = () => undefined
`

test.each(['index', 'testing/index', 'testing/playwright'])('src/%s.ts says what it needs', (entry) => {
  const file = join(import.meta.dirname, `../src/${entry}.ts`)
  const script = `${pretend}; import(${JSON.stringify(file)}).catch(({ message }) => console.log(message))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect([stdout, stderr]).toEqual(['The sandbox needs Node 22.13 or newer, and this is Node 20.19.4.\n', ''])
})
