// Promise: sandbox/limits
/** Two concurrent purchases can never both spend the same remainder. */
import Big from 'big.js'
import { expect } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { must, type Service, test } from './support/service.ts'

const limitsOf = async (service: Service): Promise<Record<string, string>> => (await service.user()).limits

const inParallel = <Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> =>
  Promise.all(items.map(work))

for (const paymentMs of [0, 500])
  test(`when many concurrent purchases each want the whole remainder, exactly one completes (paymentMs ${paymentMs})`, async ({
    service,
  }) => {
    const count = proofRuns(1000, 40)
    await service.flip({ paymentMs })
    const accessToken = await service.token()
    await service.buy({ quote_amount: '123.456789', product_id: 'castle' })
    const { digital_goods_remaining } = await limitsOf(service)
    const checkouts = await inParallel(Array.from({ length: count }), () =>
      service.openCheckout(
        { product_id: 'castle', quote_amount: digital_goods_remaining ?? '' },
        accessToken,
      ),
    )
    const paid = await inParallel(checkouts, (checkout) => must(service.pay(checkout)))
    const ended = (step: string): number => paid.filter((checkout) => checkout.step === step).length
    expect([ended('complete'), ended('identity')]).toEqual([1, count - 1])
    expect(await limitsOf(service)).toMatchObject({
      digital_goods_remaining: '0.00',
      digital_goods_spending: '500.00',
    })
    recordFigure(`sandbox: completed of ${count} concurrent purchases of the whole remainder`, 1)
  })

test('many small concurrent purchases add up to the last decimal', async ({ service }) => {
  const count = proofRuns(1000, 40)
  const accessToken = await service.token()
  const amounts = Array.from(
    { length: count },
    (_, index) => `0.${String((index * 7919) % 100_000_000).padStart(8, '0')}`,
  )
  const paid = await inParallel(
    amounts.filter((amount) => Big(amount).gt(0)),
    async (quote_amount) => {
      const checkout = await service.openCheckout({ product_id: 'castle', quote_amount }, accessToken)
      return must(service.pay(checkout))
    },
  )
  const complete = paid.filter(({ step }) => step === 'complete')
  const sum = complete.reduce((total, { offer }) => total.plus(offer.quote_amount), Big(0))
  const { digital_goods_spending = '', digital_goods_remaining = '' } = await limitsOf(service)
  expect(complete.length).toBeGreaterThan(count / 2)
  expect(Big(digital_goods_spending).eq(sum)).toBe(true)
  expect(Big(digital_goods_remaining).plus(sum).eq('500')).toBe(true)
})
