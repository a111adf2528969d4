import { expect, test } from 'vitest'
import { tablesOf } from '../figures.ts'
import { missingPrograms } from '../requirements.ts'

test('every program that is not there is named', () => {
  expect(missingPrograms({ Chromium: () => true, Firefox: () => false, postgresql: () => false })).toEqual([
    'Firefox',
    'postgresql',
  ])
})

test('what was measured in parts is one table, in which a claim that was measured again has its last figure, without the sentences of docs/failures.md', () => {
  const run = { run: 'e2e matrix', date: '2026-11-20', minutes: 37, passed: 480, failed: 0, skipped: 0 }
  const tables = tablesOf([
    { claim: 'crossed, webkit', figure: '1 of 9' },
    { claim: 'orders delivered | twice', figure: 3 },
    { claim: 'layout shift', figure: 0.0016274 },
    { claim: 'failure: the script is missing, popup, chromium', figure: '{"shopper":"a link"}' },
    run,
    { claim: 'crossed, webkit', figure: '0 of 9' },
    { claim: 'crossed, chromium', figure: '0 of 9' },
  ])
  expect(tables).toBe(`## What was run

| run | date | minutes | passed | failed | skipped |
| --- | --- | --- | --- | --- | --- |
| \`e2e matrix\` | 2026-11-20 | 37 | 480 | 0 | 0 |

## In three engines

| claim | chromium | firefox | webkit |
| --- | --- | --- | --- |
| crossed | 0 of 9 | – | 0 of 9 |

## The rest

| claim | figure |
| --- | --- |
| layout shift | 0.002 |
| orders delivered \\| twice | 3 |`)
})

test('cells of a matrix that gave the same are counted, and one that gave something else has its own row', () => {
  const tables = tablesOf([
    { claim: 'purchase: iframe, paid, chromium', figure: 'right' },
    { claim: 'purchase: iframe, declined, chromium', figure: 'right' },
    { claim: 'purchase: popup, paid, chromium', figure: 'wrong' },
    { claim: 'crossed, chromium', figure: 'right' },
  ])
  expect(tables).toContain(`| crossed | right | – | – |
| purchase: iframe, declined; 1 more | right | – | – |
| purchase: popup, paid | wrong | – | – |`)
})
