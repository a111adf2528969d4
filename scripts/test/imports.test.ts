// Promise: build/arrows
/** The rules about the direction of imports: each is broken once. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-imports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What each rule forbids: a file, and what it imports. */
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
  'packages/loader/src: opening/': [
    'packages/loader/src/opening/open.ts',
    'packages/loader/src/entries/tag.ts',
  ],
  'packages/loader/src: outcome/': [
    'packages/loader/src/outcome/end.ts',
    'packages/loader/src/opening/go.ts',
  ],
  'packages/server/src: doctor/': ['packages/server/src/doctor/run.ts', 'packages/server/src/cli/table.ts'],
  'packages/server/src: adapters/': [
    'packages/server/src/adapters/node.ts',
    'packages/server/src/serve/start.ts',
  ],
  'packages/server/src: companion/': [
    'packages/server/src/companion/app.ts',
    'packages/server/src/adapters/aws.ts',
  ],
  'packages/server/src: fulfilment/': [
    'packages/server/src/fulfilment/run.ts',
    'packages/server/src/companion/answer.ts',
  ],
  'packages/server/src: purchase/(?!purchase\\.ts)': [
    'packages/server/src/purchase/match.ts',
    'packages/server/src/fulfilment/queue.ts',
  ],
  'packages/server/src: token/': [
    'packages/server/src/token/lease.ts',
    'packages/server/src/purchase/status.ts',
  ],
  'packages/server/src: stores/': [
    'packages/server/src/stores/sqlite.ts',
    'packages/server/src/token/new.ts',
  ],
  'packages/server/src: client/': [
    'packages/server/src/client/wire.ts',
    'packages/server/src/stores/store.ts',
  ],
  'packages/sandbox/src: http/': ['packages/sandbox/src/http/app.ts', 'packages/sandbox/src/options.ts'],
  'packages/sandbox/src: control/': [
    'packages/sandbox/src/control/reset.ts',
    'packages/sandbox/src/http/guard.ts',
  ],
  'packages/sandbox/src: webhooks/': [
    'packages/sandbox/src/webhooks/send.ts',
    'packages/sandbox/src/control/clock.ts',
  ],
  'packages/sandbox/src: service/': [
    'packages/sandbox/src/service/list.ts',
    'packages/sandbox/src/webhooks/queue.ts',
  ],
  'packages/sandbox/src: domain/': [
    'packages/sandbox/src/domain/money.ts',
    'packages/sandbox/src/service/user.ts',
  ],
  'packages/sandbox/src: state/': [
    'packages/sandbox/src/state/orders.ts',
    'packages/sandbox/src/domain/charge.ts',
  ],
  'packages/sandbox/src: simulation/': [
    'packages/sandbox/src/simulation/clock.ts',
    'packages/sandbox/src/state/rows.ts',
  ],
  'packages/sandbox/src: widget/|console/': [
    'packages/sandbox/src/widget/App.ts',
    'packages/sandbox/src/simulation/faults.ts',
  ],
  'sandbox: protocols': ['packages/sandbox/src/service/page.ts', 'packages/sandbox/src/console/view.ts'],
}

/** Imports of every direction that is allowed. */
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

test('every rule is broken once in this file', () => {
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
