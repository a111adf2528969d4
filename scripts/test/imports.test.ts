// Promise: build/arrows
/** The rules about import directions: each is violated once. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-imports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { default: config }: { default: { forbidden: { name: string; to: { path?: string } }[] } } =
  await import(`${root}/.dependency-cruiser.mjs`)

/** The layers of a package: a folder's first file imports one from the topmost folder. */
const layers = config.forbidden.flatMap(({ name, to }) => {
  const [, base = '', own = ''] = /^(packages\/\w+\/src): (.+)$/.exec(name) ?? []
  const above = /\((.+?)\)$/.exec(`${to.path}`)?.[1] ?? ''
  const folderOf = (pattern: string): string => `${base}/${pattern.split(/[|/]/)[0]}`
  return base ? [{ name, from: folderOf(own), to: folderOf(above) }] : []
})

/** A forbidden import for each rule: a file and its import. */
const forbidden: Record<string, [from: string, to: string]> = {
  'no circle': ['scripts/one.ts', 'scripts/two.ts'],
  'loader alone': ['packages/loader/src/url.ts', 'packages/server/src/index.ts'],
  'react alone': ['packages/react/src/widget.ts', 'packages/sandbox/src/loopback.ts'],
  'server alone': ['packages/server/src/language.ts', 'packages/sandbox/src/loopback.ts'],
  'sandbox alone': ['packages/sandbox/src/refusal.ts', 'packages/loader/src/names.ts'],
  'react: public entry': ['packages/react/src/button.ts', 'packages/loader/src/names.ts'],
  'pages without server': ['apps/demo/web/shop.ts', 'packages/server/src/index.ts'],
  'demo server without pages': ['apps/demo/server/main.ts', 'apps/demo/web/theme.ts'],
  'loader: surfaces': ['packages/loader/src/surfaces/frame.ts', 'packages/loader/src/session.ts'],
  'sandbox: protocols': ['packages/sandbox/src/service/page.ts', 'packages/sandbox/src/console/view.ts'],
  ...Object.fromEntries(layers.map(({ name, from, to }) => [name, [`${from}/low.ts`, `${to}/high.ts`]])),
}

test('each folder that a rule about layers names exists', () => {
  const named = layers.flatMap(({ from, to }) => [from, to])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

/** Imports in every allowed direction. */
const allowed: [from: string, to: string][] = [
  ['packages/react/src/hook.ts', 'packages/loader/src/index.ts'],
  ['packages/server/src/cli/main.ts', 'packages/server/src/client/request.ts'],
  ['packages/server/src/stores/rows.ts', 'packages/server/src/purchase/purchase.ts'],
  ['packages/sandbox/src/service/pay.ts', 'packages/sandbox/src/widget/protocol.ts'],
]

interface Report {
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[]
    ruleSetUsed: { forbidden: { name: string }[] }
  }
}
let report: Report

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text, { flag: 'a' })
}

beforeAll(() => {
  for (const [from, to] of [...Object.values(forbidden), ...allowed]) {
    write(to, 'export interface Other {}\n')
    write(from, `import type { Other } from '${join(folder, to)}'\nexport type Own = Other\n`)
  }
  write('scripts/two.ts', "export * from './one.ts'\n")
  write(
    'packages/loader/src/lazy.ts',
    "export const server = (): Promise<unknown> => import('@purchase-widget/server')\n",
  )
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', '.'],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  report = JSON.parse(stdout)
}, 120_000)

test('this file violates every rule once', () => {
  const names = report.summary.ruleSetUsed.forbidden.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.keys(forbidden).toSorted())
})

test.each(Object.entries(forbidden))('%s is enforced', (name, [from, to]) => {
  const found = report.summary.violations.filter(({ rule }) => rule.name === name)
  expect(found.map((violation) => [violation.from, violation.to])).toContainEqual([from, to])
})

test('a dynamic import by the name of a package is found', () => {
  const found = report.summary.violations.find(({ from }) => from === 'packages/loader/src/lazy.ts')
  expect(found?.rule.name).toBe('loader alone')
})

test('imports in an allowed direction pass', () => {
  const sources = new Set(report.summary.violations.map(({ from }) => from))
  expect(allowed.map(([from]) => from).filter((from) => sources.has(from))).toEqual([])
})
