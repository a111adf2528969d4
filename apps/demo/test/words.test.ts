// Promises: demo/words, demo/code
/** The pages' wording of results, and their code samples. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PurchaseResult } from '@purchase-widget/loader'
import { afterAll, expect, test } from 'vitest'
import { modes, redirectPages } from '../web/Choices.tsx'
import { reactSnippet } from '../web/Code.tsx'
import { describeResult } from '../web/Outcome.tsx'

test.each<PurchaseResult>([
  { status: 'failure', verified: false },
  { status: 'success', verified: false },
  { status: 'unknown', reason: 'Your server did not answer.' },
  { status: 'closed', order: { id: 'o1', type: 'payment_started', decline: null } },
])('%j, which the server has not confirmed, is neither paid nor free of charge', (result) => {
  const { title, detail } = describeResult(result)
  expect(`${title} ${detail}`).not.toMatch(/nothing was charged|not paid|yours/i)
})

test('a failure that the server has read says that nothing was charged', () => {
  const { title, detail } = describeResult({ status: 'failure', verified: true })
  expect(`${title}: ${detail}`).toBe('Not paid: The payment did not go through. Nothing was charged.')
})

// Inside the demo, where the packages resolve.
const folder = join(import.meta.dirname, '..', '.cache', 'shown')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every combination of mode, redirect page and place of the token compiles', () => {
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (const { value: mode } of modes)
    for (const { value: redirectPage } of redirectPages)
      for (const pageToken of [true, false]) {
        const file = join(folder, `${mode}-${redirectPage}-${pageToken}.tsx`)
        const sold = { mode, redirectPage, pageToken, productId: 'gold-100', name: '100 gold' }
        writeFileSync(file, reactSnippet(sold))
        files.push(file)
      }
  const options =
    '--ignoreConfig --noEmit --skipLibCheck --allowImportingTsExtensions --strict --target es2023 --module nodenext --types node --jsx react-jsx'
  const { stdout, status } = spawnSync('tsc', [...options.split(' '), ...files], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
