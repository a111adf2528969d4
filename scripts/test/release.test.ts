// Promise: build/release
/** Checks that need a whole release. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { full } from '../proof.ts'

const root = join(import.meta.dirname, '../..')

// It builds, packs and describes every package, which takes more than a minute.
test.skipIf(!full)('a release can be run without publishing anything', { timeout: 300_000 }, () => {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.ts', '--dry-run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
  })
  const output = stdout + stderr
  expect(output).not.toMatch(/ERR/)
  expect(status).toBe(0)
  for (const name of ['loader', 'react', 'server', 'sandbox']) {
    const { version } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(output).toMatch(
      new RegExp(`@purchase-widget/${name} ${version} -> (?!${version}\\b)\\d+\\.\\d+\\.\\d+`),
    )
    expect(output).toContain(`sbom/purchase-widget-${name}.json`)
  }
})
