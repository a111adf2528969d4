/** The built command, as a project that installs the package has it. */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCli } from './support/cli.ts'

test('the command has been built', () => {
  expect(existsSync(join(import.meta.dirname, '../dist/cli.js')), 'Run node scripts/build.ts sandbox.').toBe(
    true,
  )
})

test('the built package starts alone, so that a start loads no other package’s files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true })
  const cli = await startCli(['--json'], join(folder, 'bin/sandbox.cjs'))
  cli.process.kill()
  expect(await cli.exited).toBe(0)
  await rm(folder, { recursive: true })
})
