import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { missingPrograms } from '../requirements.ts'

test('every program that is not there is named', () => {
  expect(
    missingPrograms({ Chromium: () => true, Firefox: () => false, 'redis-server': () => false }),
  ).toEqual(['Firefox', 'redis-server'])
})

// A whole program is started, on a machine that may be busy.
test('evidence fails before it runs anything where Redis is missing, and names it', {
  timeout: 60_000,
}, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/evidence.ts'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '/nowhere' },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('redis-server')
  expect(stdout).toBe('')
})
