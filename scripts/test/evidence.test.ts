// Promise: build/evidence
import { expect, test } from 'vitest'
import { missingPrograms } from '../browsers.ts'
import { pageOf, sorted } from '../figures.ts'

test('every program that is not there is named', () => {
  expect(missingPrograms({ Chromium: () => true, Firefox: () => false, postgresql: () => false })).toEqual([
    'Firefox',
    'postgresql',
  ])
})

test('what was measured in parts is one page, in which a claim that was measured again has its last figure', () => {
  const run = { run: 'e2e matrix', date: '2026-11-20', minutes: 37, passed: 480, failed: 0, skipped: 0 }
  const evidence = sorted([
    { claim: 'crossed, webkit', figure: '1 of 9' },
    { claim: 'orders delivered | twice', figure: 3 },
    run,
    { claim: 'crossed, webkit', figure: '0 of 9' },
  ])
  expect(pageOf({ ...evidence, commit: 'c0ffee', machine: 'linux, 2 cores' })).toBe(`# Evidence

Every proof is against the sandbox of this repository, none against the service. Commit c0ffee; linux, 2 cores.

| run | date | minutes | passed | failed | skipped |
| --- | --- | --- | --- | --- | --- |
| e2e matrix | 2026-11-20 | 37 | 480 | 0 | 0 |

| claim | figure |
| --- | --- |
| crossed, webkit | 0 of 9 |
| orders delivered \\| twice | 3 |

`)
})
