// Promise: launch/shopper-ids
/** Ids that a shopper may have, and text that every store can keep. */
import { describe, expect, test } from 'vitest'
import { memoryStore, type TokenGrant } from '../../src/index.ts'
import { checkDecision } from '../../src/purchase/begin.ts'
import { bodyOf, companionOf, companionOfThisFile, get, navigation, post } from '../support/companion.ts'

const { service, client } = await companionOfThisFile()

describe('where orders carry the purchase’s id as their custom_id', () => {
  /** Bought by Ada; asked for by a shopper who is called like her purchase, or like what carries it. */
  async function askedAs(spelt: (purchaseId: string) => object) {
    const store = memoryStore()
    const errors: unknown[] = []
    const shop = companionOf(client, { store, carry: 'custom_id' })
    const granted = (await bodyOf(shop.fetch(post('/token', {}, 'ada')))) as TokenGrant
    const { id } = await service.buy({ ...granted.params, product_id: 'club-monthly' })
    await shop.fetch(get(`/purchases/${granted.purchaseId}?returned=1`, 'ada'))
    const mallory = companionOf(client, {
      store,
      carry: 'custom_id',
      authorize: () => spelt(granted.purchaseId) as { customId: string },
      onError: (error) => errors.push(error),
    })
    const ask = async (path: string) => {
      const response = await mallory.fetch(get(path))
      return { status: response.status, text: await response.text() }
    }
    const answers = [await ask('/orders'), await ask(`/orders/${id}`), await ask('/subscriptions')]
    return { answers, errors, id }
  }

  test('a shopper whose id is spelt like another’s purchase reads nothing of it', async () => {
    for (const spelt of [
      (customId: string) => ({ customId }),
      (purchaseId: string) => ({ customId: 'mallory', formerly: [purchaseId] }),
    ]) {
      const { answers, id } = await askedAs(spelt)
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
      for (const { text } of answers) expect(text).not.toContain(id)
      expect(answers[2]?.text).toBe('{"subscriptions":[]}')
    }
  })

  test('a shopper’s id that carries a purchase is refused, also as one from before', async () => {
    for (const spelt of [
      (purchaseId: string) => ({ customId: `purchase_${purchaseId}` }),
      (purchaseId: string) => ({ customId: 'mallory', formerly: [`purchase_${purchaseId}`] }),
    ]) {
      const { answers, errors } = await askedAs(spelt)
      expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
      expect(errors[0]).toMatchObject({ name: 'InvalidInputError' })
      expect(String(errors[0])).toContain('give shoppers ids of their own')
    }
  })
})

const unstorable = [
  ['NUL', 'gold\0'],
  ['half of a UTF-16 pair', 'gold\ud83d'],
] as const

describe.each(unstorable)('%s', (_, text) => {
  test('in a field of the page or of a link is refused, and nothing is begun', async () => {
    const store = memoryStore()
    const shop = companionOf(client, { store })
    for (const request of [
      post('/token', { params: { product_id: text } }, 'ada'),
      post('/token', { params: { redirect_url: `https://shop.example/${text}` } }, 'ada'),
    ]) {
      expect((await shop.fetch(request)).status).toBe(400)
    }
    if (text.includes('\0')) {
      const link = `/launch?product_id=${encodeURIComponent(text)}`
      expect((await shop.fetch(get(link, 'ada', navigation('none')))).status).toBe(400)
    }
    expect(await store.purchases.unsettled({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual([])
  })

  test.each(['params', 'reference'])('in %s of a decision is the merchant’s mistake', (field) => {
    const params = { product_id: 'gold', quote: 'USD', quote_amount: '1' }
    const wrong = field === 'params' ? { params: { ...params, theme: text } } : { params, reference: text }
    expect(() => checkDecision(wrong, 'https://shop.example')).toThrow(field)
  })

  test.each(['customId', 'userId', 'formerly'])('in %s is the merchant’s mistake', async (field) => {
    const errors: unknown[] = []
    const ids = { customId: 'ada', [field]: field === 'formerly' ? [text] : text }
    const shop = companionOf(client, {
      authorize: () => ids,
      onError: (error) => errors.push(error),
    })
    expect((await shop.fetch(post('/token', {}))).status).toBe(500)
    expect(errors).toMatchObject([{ name: 'InvalidInputError' }])
  })
})
