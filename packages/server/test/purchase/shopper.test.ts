// Promise: match/parts
/** Whose a purchase and an order are. */
import { describe, expect, test } from 'vitest'
import { idsOf, isTheirOrder, isTheirs, paramsOf } from '../../src/purchase/shopper.ts'

describe('whose a purchase and an order are', () => {
  const ada = { shopper: { customId: 'ada', userId: 'U1' }, formerly: ['guest-1', 'guest-2'] }
  const byUser = { shopper: { userId: 'U1' }, formerly: [] }

  test.each([
    ['by the shop’s id', ada, { customId: 'ada' }, true],
    ['whatever the other id', ada, { customId: 'ada', userId: 'U2' }, true],
    ['by an id from before', ada, { customId: 'guest-1' }, true],
    ['not by the service’s id where there is one of the shop’s', ada, { userId: 'U1' }, false],
    ['another’s', ada, { customId: 'bob' }, false],
    ['by the service’s id', byUser, { userId: 'U1' }, true],
    ['another’s at the service', byUser, { userId: 'U2' }, false],
    ['an id of another kind', byUser, { customId: 'U1' }, false],
  ])('a purchase: %s', (_, caller, shopper, isIt) => {
    expect(isTheirs(caller, { shopper })).toBe(isIt)
  })

  test.each([
    [ada, { custom_id: 'ada' }, true],
    [ada, { custom_id: 'guest-2', user_id: 'U9' }, true],
    [ada, { custom_id: 'bob', user_id: 'U1' }, false],
    [ada, { user_id: 'U1' }, false],
    [ada, {}, false],
    [byUser, { custom_id: 'x', user_id: 'U1' }, true],
    [byUser, { custom_id: 'U1', user_id: 'U2' }, false],
    [byUser, {}, false],
  ])('an order: of %j, %j, %s', (caller, order, isIt) => {
    expect(isTheirOrder(caller, order)).toBe(isIt)
  })

  test('five ids are asked for, each once: the present one, then the latest from before', () => {
    const formerly = ['1', '2', '3', '4', '5', '6']
    expect(idsOf({ shopper: { customId: 'now' }, formerly })).toEqual(['now', '6', '5', '4', '3'])
    expect(idsOf(byUser)).toEqual(['U1'])
    const repeated = ['1', '2', 'now', '3', '3', 'now', '3']
    expect(idsOf({ shopper: { customId: 'now' }, formerly: repeated })).toEqual(['now', '3', '2', '1'])
  })

  test('the widget is told the ids that there are', () => {
    expect(paramsOf({ customId: 'ada', userId: 'U1' })).toEqual({ custom_id: 'ada', user_id: 'U1' })
    expect(paramsOf({ customId: 'ada' })).toStrictEqual({ custom_id: 'ada' })
    expect(paramsOf({ userId: 'U1' })).toStrictEqual({ user_id: 'U1' })
  })
})
