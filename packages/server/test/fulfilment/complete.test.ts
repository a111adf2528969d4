// Promise: fulfilment/exactly-once
/** `complete()`: whether a state of an order counts as handled, whatever `onOrder` does before and after. */
import { expect, test, vi } from 'vitest'
import { createCompletion } from '../../src/fulfilment/deliver.ts'
import { memoryStore } from '../../src/index.ts'
import type { Complete } from '../../src/purchase/purchase.ts'
import type { Handled, IdempotencyRecord } from '../../src/stores/store.ts'

const record: IdempotencyRecord = { orderId: 'o', type: 'order_complete', purchaseId: 'p' }

/** A store whose transactions commit, or do not. */
function transactional(isCommitted: boolean): Handled {
  const { handled } = memoryStore()
  const addWithin = (_: unknown, one: IdempotencyRecord): Promise<boolean> =>
    isCommitted ? handled.add(one) : Promise.resolve(true)
  return { ...handled, addWithin }
}

const answering = (
  addWithin: NonNullable<Handled['addWithin']>,
  changes: Partial<Handled> = {},
): Handled => ({
  ...memoryStore().handled,
  addWithin,
  ...changes,
})

/** A store that says so of its transaction, then or later, and has the record from that moment on. */
function saying(isNew: () => boolean | Promise<boolean>): Handled {
  let isAsked = false
  const addWithin = (): boolean | Promise<boolean> => {
    isAsked = true
    return isNew()
  }
  return answering(addWithin, { has: async () => isAsked })
}

async function handledBefore(): Promise<Handled> {
  const handled = transactional(true)
  await handled.add(record)
  return handled
}

const needsOne = new Error('it needs a transaction')
const refusing = (): never => {
  throw needsOne
}
const later = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(true), 5))

const asks = (complete: Complete): void => void complete()
const keepsQuiet = (complete: Complete): void => {
  try {
    void complete()
  } catch {}
}
const throws = (): never => {
  throw new Error('broken')
}
const asksAndThrows = (complete: Complete): never => {
  void complete()
  return throws()
}
const waitsAndThrows = (calls: number) => async (complete: Complete) => {
  for (let call = 0; call < calls; call++) await complete()
  throws()
}

test.each<[string, Handled, (complete: Complete) => void | Promise<void>, RegExp, boolean]>([
  ['is not needed', memoryStore().handled, () => {}, /^handled$/, true],
  ['is not called before a failure', memoryStore().handled, throws, /^Error: broken$/, false],
  [
    'has no transactions',
    memoryStore().handled,
    asks,
    /^InvalidInputError: complete: this store has no/,
    false,
  ],
  ['is committed', transactional(true), asks, /^handled$/, true],
  ['is not committed', transactional(false), asks, /not committed/, false],
  ['is refused at once', answering(refusing), asks, /^Error: it needs a transaction$/, false],
  [
    'is refused later',
    answering(() => Promise.reject(needsOne)),
    asks,
    /^Error: it needs a transaction$/,
    false,
  ],
  ['is refused, which onOrder keeps to itself', answering(refusing), keepsQuiet, /not committed/, false],
  [
    'is committed before a failure',
    transactional(true),
    waitsAndThrows(1),
    /^FailedAfterCommit: .*broken$/,
    true,
  ],
  ['is committed twice', transactional(true), waitsAndThrows(2), /^FailedAfterCommit: .*broken$/, true],
  ['is not waited for', saying(() => true), asksAndThrows, /^FailedAfterCommit: .*broken$/, true],
  [
    'is not waited for, and says so later',
    saying(later),
    asksAndThrows,
    /^FailedAfterCommit: .*broken$/,
    true,
  ],
  ['is not committed before a failure', transactional(false), waitsAndThrows(1), /^Error: broken$/, false],
  ['was committed before', await handledBefore(), waitsAndThrows(1), /^Error: broken$/, true],
])('where complete() %s', async (_, handled, onOrder, outcome, isMarked) => {
  const { complete, watch, settle } = createCompletion(handled, record)
  const ended = await watch(() => onOrder(complete))
    .then(settle)
    .then(() => 'handled', String)
  expect(ended).toMatch(outcome)
  expect(await handled.has('o', 'order_complete')).toBe(isMarked)
})

test('complete() records by the transaction that it is given, and returns whether the state is new', async () => {
  const { handled } = memoryStore()
  const add = vi.spyOn(handled, 'add')
  const addWithin = vi.fn().mockResolvedValueOnce(true).mockResolvedValueOnce(false)
  const { complete } = createCompletion({ ...handled, addWithin }, record)
  expect([await complete('a transaction'), await complete('a transaction')]).toEqual([true, false])
  expect(addWithin.mock.calls).toEqual(Array(2).fill(['a transaction', record]))
  expect(add).not.toHaveBeenCalled()
})
