// Promise: outside/lazy
/** Imports and new companions do nothing until they are used, and an old Node gets one sentence as an error. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { test } from 'node:test'

const entries = [
  '@purchase-widget/loader',
  '@purchase-widget/loader/element',
  '@purchase-widget/loader/return',
  '@purchase-widget/loader/url',
  '@purchase-widget/react',
  '@purchase-widget/server',
  '@purchase-widget/server/sqlite',
  '@purchase-widget/server/testing',
  '@purchase-widget/sandbox',
  '@purchase-widget/sandbox/testing',
]

test('importing the packages and creating a companion reads none of our variables, opens no file and starts nothing', async () => {
  const read: string[] = []
  process.env = new Proxy(process.env, {
    get(variables, name) {
      read.push(String(name))
      return Reflect.get(variables, name)
    },
  })
  const before = running()
  for (const entry of entries) await import(entry)
  const { createCompanion } = await import('@purchase-widget/server')
  const { sqliteStore } = await import('@purchase-widget/server/sqlite')
  createCompanion({ store: sqliteStore('lazy.sqlite'), authorize: () => null })
  assert.deepEqual(running(), before)
  assert.equal(existsSync('lazy.sqlite'), false)
  assert.deepEqual(
    read.filter((name) => name.startsWith('PURCHASE_')),
    [],
  )
})

/** Timers, sockets, servers, files. The pipes are the test runner's. */
const running = (): string[] =>
  process
    .getActiveResourcesInfo()
    .filter((name) => name !== 'PipeWrap')
    .sort()

const versionOf = (node: string): string => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''
const old = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => /^v(1\d|20|21)\./.test(versionOf(node)))

for (const [bin, args] of [
  ['purchase-widget', ['doctor']],
  ['purchase-widget-sandbox', ['--port', '0']],
] as const) {
  test(`${bin} reports an old Node in one sentence`, { skip: !old && 'there is no old Node here' }, () => {
    const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${bin}`, args, {
      encoding: 'utf8',
      env: { PATH: [dirname(old ?? ''), process.env.PATH].join(delimiter) },
    })
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^[^\n]*needs Node 22[^\n]*\n$/)
  })
}
