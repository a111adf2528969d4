// Promise: match/parts
/** When a charge of a subscription is a renewal, and when a missed one is looked for. */
import { describe, expect, test, vi } from 'vitest'
import type { Subscription } from '../../src/index.ts'
import { chargesOf, findSubscriptions, listSubscriptions } from '../../src/purchase/subscriptions.ts'
import { begunAt, rowOf } from '../support/purchases.ts'

describe('a subscriber’s subscriptions', () => {
  const club = { product_id: 'club', custom_id: 'ada', user_id: 'U1', raw: {} }
  const clientWith = (...listed: Subscription[]) => ({ subscriptions: { list: async () => listed } }) as never

  test('records that do not carry the identifier are left out', async () => {
    const nobodys = { product_id: 'club', user_id: 'U1', raw: {} }
    const others = [{ ...club, custom_id: 'eve' }, nobodys]
    expect(await listSubscriptions(clientWith(club, ...others), [{ custom_id: 'ada' }])).toEqual([club])
  })

  test('without a user’s id, those of every user with the custom id are found', async () => {
    const list = vi.fn(async () => [club])
    const client = { subscriptions: { list } } as never
    const found = await findSubscriptions(client, { product_id: 'club', custom_id: 'ada' })
    expect(found).toEqual({ shown: [club], intervalMs: 28 * 86_400_000 })
    expect(list.mock.calls).toEqual([[{ custom_id: 'ada' }]])
    const ofAnother = { product_id: 'club', custom_id: 'ada', user_id: 'U2' }
    expect(await findSubscriptions(clientWith(club), ofAnother)).toMatchObject({ shown: [] })
  })
})

describe('a renewal', () => {
  const at = (date: string): Date => new Date(`${date.includes('T') ? date : `${date}T00:00:00`}Z`)
  const subscription = (fields: Partial<Subscription>): Subscription => ({ raw: {}, ...fields })
  const DAY = 86_400_000

  /** For a purchase that was paid when the subscription started. */
  function chargesShown(given: Subscription): number {
    const start = at('2026-01-01').getTime()
    const order = { id: 'o', type: 'order_complete', state: 'matched', summary: '{}' } as const
    const known = rowOf([order], 'o', { begunAt: start, validUntil: start + DAY })
    const found = { shown: [given], intervalMs: 28 * DAY }
    return chargesOf(known, found, start).count
  }

  test.each<[string | undefined, string, number]>([
    ['month', '2026-01-28', 0],
    ['month', '2026-01-29', 1],
    ['1 MONTH', '2026-03-01', 2],
    [undefined, '2026-01-29', 1],
    ['whenever', '2026-02-26', 2],
    ['yearly', '2026-12-31', 0],
    ['yearly', '2027-01-01', 1],
    ['Annual', '2028-01-01', 2],
    ['weekly', '2026-01-08', 1],
    ['weekly', '2026-01-07T22:59:59', 0],
    ['weekly', '2026-01-07T23:00:00', 1],
    ['7 days', '2026-01-03', 2],
    ['daily', '2026-01-03', 2],
    ['month', '2026-01-01', 0],
  ])('an interval %j, last paid on %s, means %i charges', (interval_time, paid, charges) => {
    const dates = { start_date: at('2026-01-01'), last_paid_date: at(paid) }
    const given = subscription({ ...dates, ...(interval_time === undefined ? {} : { interval_time }) })
    expect(chargesShown(given)).toBe(charges)
  })

  test.each([
    ['semi-annually', 182],
    ['half yearly', 182],
    ['biannual', 182],
    ['semi-monthly', 15],
    ['fortnightly', 14],
    ['quarterly', 91],
    ['P1W', 7],
    ['every 10 d', 10],
    ['14', 14],
    ['1', 1],
  ])('each of four charges of an interval %j counts, of %i days', (interval_time, days) => {
    const start = at('2026-01-01').getTime()
    const charged = (times: number): Subscription =>
      subscription({
        interval_time,
        start_date: new Date(start),
        last_paid_date: new Date(start + times * days * DAY),
        next_paid_date: new Date(start + (times + 1) * days * DAY),
      })
    expect([0, 1, 2, 3, 4].map((times) => chargesShown(charged(times)))).toEqual([0, 1, 2, 3, 4])
  })

  test.each([
    ['P1M', 1],
    ['quarterly', 3],
    ['P1Y', 12],
  ])('each charge of an interval %j counts, whatever months follow', (interval_time, months) => {
    for (let month = 0; month < 48; month++) {
      const after = (times: number): Date => new Date(Date.UTC(2026, month + times * months))
      const times = [1, 2, 3, 12, 30]
      const counts = times.map((charged) => {
        const given = {
          start_date: after(0),
          last_paid_date: after(charged),
          next_paid_date: after(charged + 1),
        }
        const start = given.start_date.getTime()
        const order = { id: 'o', type: 'order_complete', state: 'matched', summary: '{}' } as const
        const known = rowOf([order], 'o', { begunAt: start, validUntil: start + DAY })
        return chargesOf(known, { shown: [subscription({ interval_time, ...given })], intervalMs: 0 }, start)
          .count
      })
      // The most times: a few more do no harm.
      expect(counts.map((count, at) => Math.min(count, times[at] ?? 0))).toEqual(times)
    }
  })

  test('the interval of other users’ subscriptions counts where the shopper’s own are not shown', async () => {
    const list = vi.fn(async () => [
      {
        product_id: 'club',
        interval_time: 'P1W',
        last_paid_date: at('2026-01-01'),
        next_paid_date: at('2026-01-08'),
        raw: {},
      },
    ])
    const found = await findSubscriptions({ subscriptions: { list } } as never, {
      product_id: 'club',
      custom_id: 'ada',
    })
    expect(found).toEqual({ shown: [], intervalMs: 7 * DAY })
  })

  test('dates that are less than a day apart are no interval', () => {
    const dates = {
      start_date: at('2026-01-01'),
      last_paid_date: at('2026-01-29'),
      next_paid_date: at('2026-01-29'),
    }
    expect(chargesShown(subscription(dates))).toBe(1)
  })

  describe('of purchases of one product', () => {
    const daysLater = (days: number): Date => new Date(begunAt + days * DAY)
    /** Paid on the day of its creation, by this many orders; all but the first are in this state. */
    const paid = (day: number, orders = 1, others: 'duplicate' | 'renewal' = 'duplicate') =>
      rowOf(
        Array.from({ length: orders }, (_, at) => ({
          id: `${day}-${at}`,
          type: 'order_complete',
          state: at === 0 ? ('matched' as const) : others,
          summary: '{}',
        })),
        `${day}-0`,
        { begunAt: daysLater(day).getTime(), validUntil: daysLater(day + 1).getTime() },
      )
    const started = (day: number, charges: number): Subscription =>
      subscription({ start_date: daysLater(day), last_paid_date: daysLater(day + charges * 31) })

    test.each<[string, ReturnType<typeof paid>[], Subscription[], number[]]>([
      ['each has its own dates', [paid(0), paid(40)], [started(40, 1), started(0, 0)], [0, 1]],
      ['a day off, a date is still its own', [paid(10)], [started(9, 1)], [1]],
      ['two days after its creation is the last', [paid(10)], [started(12, 1)], [1]],
      ['renewed before, it still began one', [paid(40, 2, 'renewal')], [started(40, 1)], [1]],
      ['one that is not shown has its age', [paid(0), paid(40)], [started(40, 0)], [3, 0]],
      [
        'of two begun at once one is shown, which may be either’s',
        [paid(0), paid(0.5)],
        [started(0.5, 0)],
        [0, 0],
      ],
      ['another that started elsewhen says nothing', [paid(40)], [started(0, 1)], [2]],
      ['without dates it has its age', [paid(40)], [subscription({})], [2]],
      ['never paid, it has its age', [paid(40)], [subscription({ start_date: daysLater(40) })], [2]],
      ['paid twice, both are shown', [paid(40, 2)], [started(40, 0), started(40, 1)], [1]],
      ['paid twice, one is hidden', [paid(40, 2)], [started(40, 0)], [2]],
    ])('%s', (_, purchases, shown, expected) => {
      // 100 days later: three intervals of 28 days, and two after 60.
      const found = { shown, intervalMs: 28 * DAY }
      const at = daysLater(100).getTime()
      expect(purchases.map((purchase) => chargesOf(purchase, found, at).count)).toEqual(expected)
    })

    test('an age may be an hour short, since clocks differ', () => {
      const known = paid(0)
      const found = { shown: [], intervalMs: DAY }
      const after = (days: number, ms = 0): number =>
        chargesOf(known, found, daysLater(days).getTime() + ms).count
      expect([after(1, -3_600_001), after(1, -3_600_000), after(1)]).toEqual([0, 1, 1])
    })
  })

  describe('a missed renewal is looked for', () => {
    const HOUR = 3_600_000
    const paid = at('2026-02-01')
    const active = { start_date: paid, last_paid_date: paid, interval_time: 'monthly', next_paid: true }
    const hoursLater = (hours: number): Date => new Date(paid.getTime() + hours * HOUR)

    test.each<[string, Subscription[], number, number | null]>([
      ['two hours after its date', [subscription({ ...active, next_paid_date: hoursLater(700) })], 1, 702],
      [
        'two hours after its date, also an hour after it',
        [subscription({ ...active, next_paid_date: hoursLater(700) })],
        701,
        702,
      ],
      [
        'again a day later, while the date has passed',
        [subscription({ ...active, next_paid_date: hoursLater(700) })],
        702,
        726,
      ],
      [
        'two hours after the earlier of two dates',
        [800, 700].map((hours) => subscription({ ...active, next_paid_date: hoursLater(hours) })),
        1,
        702,
      ],
      ['each day, while no date is known', [subscription(active)], 5, 29],
      ['each day, while the subscription is not shown', [], 5, 29],
      [
        'again a day later, while the service does not say whether it renews',
        [subscription({ start_date: paid, last_paid_date: paid, next_paid_date: hoursLater(10) })],
        20,
        44,
      ],
      [
        'until a month after the subscription expires',
        [subscription({ ...active, next_paid_date: hoursLater(10), expire_date: hoursLater(20) })],
        20 + 720,
        20 + 744,
      ],
      [
        'no more after that',
        [subscription({ ...active, next_paid_date: hoursLater(10), expire_date: hoursLater(20) })],
        20 + 721,
        null,
      ],
      [
        'until its end where it does not renew',
        [
          subscription({
            ...active,
            next_paid: false,
            next_paid_date: hoursLater(10),
            expire_date: hoursLater(20),
          }),
        ],
        20,
        44,
      ],
      [
        'no more after that end',
        [
          subscription({
            ...active,
            next_paid: false,
            next_paid_date: hoursLater(10),
            expire_date: hoursLater(20),
          }),
        ],
        21,
        null,
      ],
      [
        'until its end where no payment is scheduled any more',
        [subscription({ ...active, next_paid: false, expire_date: hoursLater(20) })],
        20,
        44,
      ],
      [
        'no more after the end of one without a scheduled payment',
        [subscription({ ...active, next_paid: false, expire_date: hoursLater(20) })],
        21,
        null,
      ],
    ])('%s', (_, shown, hours, expected) => {
      const order = { id: 'o', type: 'order_complete', state: 'matched', summary: '{}' } as const
      const known = rowOf([order], 'o', { begunAt: paid.getTime(), validUntil: paid.getTime() + DAY })
      const found = { shown, intervalMs: 28 * DAY }
      const charges = chargesOf(known, found, hoursLater(hours).getTime())
      expect(charges.checkAt).toBe(expected === null ? null : hoursLater(expected).getTime())
    })
  })
})
