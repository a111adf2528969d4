// Promise: demo/words
/** What a shopper reads about a result: only the shop's server says that nothing was charged. */
import type { PurchaseResult } from '@purchase-widget/loader'
import { expect, test } from 'vitest'
import { describeResult } from '../web/describeResult.ts'

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
