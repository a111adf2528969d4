// Promise: fulfilment/exactly-once
/** `complete()`: whether a state of an order counts as handled, whatever `onOrder` does before and after. */
import { describe, expect, test, vi } from 'vitest'
import { createCompletion } from '../../src/fulfilment/deliver.ts'
import { memoryStore } from '../../src/index.ts'
import type { Complete } from '../../src/purchase/purchase.ts'
import type { Handled, IdempotencyRecord } from '../../src/stores/store.ts'

describe('complete()', () => {
  const record: IdempotencyRecord = { orderId: 'o', type: 'order_complete', purchaseId: 'p' }

  /** A store whose transactions commit, or do not. */
  function transactional(isCommitted: boolean): Handled {
    const { handled } = memoryStore()
    const addWithin = (_: unknown, one: IdempotencyRecord): Promise<boolean> =>
      isCommitted ? handled.add(one) : Promise.resolve(true)
    return { ...handled, addWithin }
  }

  /** What becomes of an `onOrder`, and whether its state is then marked. */
  async function outcomeOf(
    handled: Handled,
    onOrder: (complete: Complete) => void | Promise<void>,
  ): Promise<[string, boolean]> {
    const { complete, watch, settle } = createCompletion(handled, record)
    const outcome = watch(() => onOrder(complete))
      .then(settle)
      .then(() => 'handled', String)
    return [await outcome, await handled.has('o', 'order_complete')]
  }

  test('is not needed: the state is marked once onOrder has resolved', async () => {
    const { handled } = memoryStore()
    const during: boolean[] = []
    const outcome = outcomeOf(handled, async () => {
      during.push(await handled.has('o', 'order_complete'))
    })
    expect([await outcome, during]).toEqual([['handled', true], [false]])
  })

  test('of an onOrder that throws without it records nothing', async () => {
    const broken = async (): Promise<void> => Promise.reject(new Error('broken'))
    expect(await outcomeOf(memoryStore().handled, broken)).toEqual(['Error: broken', false])
  })

  test('says what to do where the store has no transactions', async () => {
    const [outcome, isMarked] = await outcomeOf(memoryStore().handled, (complete) => void complete())
    expect(outcome).toMatch(/^InvalidInputError: complete: this store has no transactions/)
    expect(isMarked).toBe(false)
  })

  test('records by the transaction that it is given', async () => {
    const addWithin = vi.fn(async () => true)
    const handled: Handled = { ...memoryStore().handled, addWithin, has: async () => true }
    const add = vi.spyOn(handled, 'add')
    await outcomeOf(handled, async (complete) => void (await complete('a transaction')))
    expect(addWithin).toHaveBeenCalledExactlyOnceWith('a transaction', record)
    expect(add).not.toHaveBeenCalled()
  })

  test('returns whether the state is new', async () => {
    const given: boolean[] = []
    const twice = async (complete: Complete): Promise<void> =>
      void given.push(await complete(), await complete())
    expect(await outcomeOf(transactional(true), twice)).toEqual(['handled', true])
    expect(given).toEqual([true, false])
  })

  test('in a transaction that was not committed does not count', async () => {
    const [outcome, isMarked] = await outcomeOf(transactional(false), (complete) => void complete())
    expect(outcome).toMatch(/not committed/)
    expect(isMarked).toBe(false)
  })

  test.each(['at once', 'later'])(
    'that is refused %s is told, also where nobody waits for it',
    async (when) => {
      const refuse = (): Promise<boolean> => {
        if (when === 'at once') throw new Error('it needs a transaction')
        return Promise.reject(new Error('it needs a transaction'))
      }
      const handled: Handled = { ...memoryStore().handled, addWithin: refuse }
      expect(await outcomeOf(handled, (complete) => void complete())).toEqual([
        'Error: it needs a transaction',
        false,
      ])
    },
  )

  test('that is refused, and whose refusal onOrder keeps to itself, does not count', async () => {
    const refuse = (): never => {
      throw new Error('it needs a transaction')
    }
    const [outcome, isMarked] = await outcomeOf(
      { ...memoryStore().handled, addWithin: refuse },
      (complete) => {
        try {
          void complete()
        } catch {}
      },
    )
    expect(outcome).toMatch(/not committed/)
    expect(isMarked).toBe(false)
  })

  const afterwards = (calls: number) => async (complete: Complete) => {
    for (let call = 0; call < calls; call++) await complete()
    throw new Error('broken')
  }

  test.each([
    ['once', 1],
    ['twice', 2],
  ] as const)(
    'that was called %s and committed is not undone by what onOrder does next',
    async (_, calls) => {
      const [outcome, isMarked] = await outcomeOf(transactional(true), afterwards(calls))
      expect(outcome).toMatch(/^FailedAfterCommit: .*Error: broken$/)
      expect(isMarked).toBe(true)
    },
  )

  test.each<[string, () => boolean | Promise<boolean>]>([
    ['at once', () => true],
    ['later', () => new Promise((resolve) => setTimeout(() => resolve(true), 5))],
  ])(
    'that was committed is not undone where onOrder throws without waiting, and the store says so %s',
    async (_, isNew) => {
      let isAsked = false
      const addWithin = (): boolean | Promise<boolean> => {
        isAsked = true
        return isNew()
      }
      const [outcome, isMarked] = await outcomeOf(
        { ...memoryStore().handled, addWithin, has: async () => isAsked },
        (complete) => {
          void complete()
          throw new Error('broken')
        },
      )
      expect(outcome).toMatch(/^FailedAfterCommit: .*Error: broken$/)
      expect(isMarked).toBe(true)
    },
  )

  test('that was not committed leaves the failure as it is', async () => {
    expect(await outcomeOf(transactional(false), afterwards(1))).toEqual(['Error: broken', false])
  })

  test('of a state that was handled before leaves the failure as it is', async () => {
    const handled = transactional(true)
    await handled.add(record)
    expect(await outcomeOf(handled, afterwards(1))).toEqual(['Error: broken', true])
  })
})
