/** What makes `check` fail: each rule is broken once. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { full } from '../proof.ts'
import { unfitFiles } from '../unfit.ts'

const root = join(import.meta.dirname, '../..')
// Whole programs are run, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-check-'))
  folders.push(folder)
  return folder
}

interface Result {
  status: number | null
  output: string
}

function run(command: string, args: string[], input = ''): Result {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    input,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
  })
  return { status, output: stdout + stderr }
}

describe('a package', () => {
  const fine = new Map([
    ['package.json', '{}'],
    ['dist/index.js', 'export {}\n//# sourceMappingURL=index.js.map'],
    ['dist/index.js.map', '{"sources":["../src/index.ts"],"sourcesContent":["export {}"]}'],
    ['dist/testing.js', 'export {}'],
  ])

  test('with code, declarations and whole maps is fit', () => {
    expect(unfitFiles(fine)).toEqual([])
  })

  test.each([
    ['a test', 'dist/index.test.js', ''],
    ['a folder of tests', 'test/support.js', ''],
    ['a map without its sources', 'dist/index.js.map', '{"sources":["../src/index.ts"]}'],
    ['a map that is not there', 'dist/other.js', '//# sourceMappingURL=other.js.map'],
    ['a token of npm', 'dist/other.js', `const token = 'npm_${'a1'.repeat(18)}'`],
    ['a key of AWS', 'README.md', `AKIA${'A1'.repeat(8)}`],
    ['a private key', 'dist/other.js', '-----BEGIN PRIVATE KEY-----'],
    ['a secret of the service', 'README.md', `PURCHASE_SECRET_KEY=${'s3cr3t'.repeat(4)}`],
    ['a file for secrets', '.env', ''],
  ])('with %s is not', (_, path, text) => {
    expect(unfitFiles(new Map([...fine, [path, text]]))).toHaveLength(1)
  })
})

describe('the oldest browsers', () => {
  const check = (code: string): Result => {
    const file = join(newFolder(), 'built.js')
    writeFileSync(file, code)
    return run(process.execPath, ['scripts/floor.ts', file])
  }

  test('read what they know', () => {
    expect(check('class A { #b = 1; static { globalThis.a = new A() } }')).toEqual({ status: 0, output: '' })
  })

  test.each([
    ['syntax', 'const a = /[\\p{L}--[a-z]]/v', /syntax/],
    ['a name', 'const { promise } = Promise.withResolvers()', /Promise\.withResolvers/],
  ])('are not given newer %s', (_, code, expected) => {
    const { status, output } = check(code)
    expect(status).toBe(1)
    expect(output).toMatch(expected)
  })
})

// It builds, packs and describes every package: a minute and more.
test.skipIf(!full)('a release can be run without publishing anything', () => {
  const { status, output } = run(process.execPath, ['scripts/release.ts', '--dry-run'])
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
