// Promise: demo/story
/** The owner and the content of each story step. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '../exchange.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'
import { createJournal, type Journal } from '../server/story.ts'
import { buyAt, type Grant, visit } from './support.ts'

const step = (text: string): Step => ({ from: 'server', to: 'service', text })

function storyOf(journal: Journal, shopper: string): string[] {
  const texts: string[] = []
  journal.follow(shopper, ({ text }) => texts.push(text))()
  return texts
}

test('a step belongs to the shopper for whom the action runs', async () => {
  const journal = createJournal()
  await Promise.all([
    journal.as('ada', async () => {
      await sleep(1)
      journal.note(step('for ada'))
    }),
    journal.as('bob', async () => journal.note(step('for bob'))),
  ])
  expect(storyOf(journal, 'ada')).toEqual(['for ada'])
  expect(storyOf(journal, 'bob')).toEqual(['for bob'])
})

test('work that outlives a shopper’s action belongs to no shopper', async () => {
  const journal = createJournal()
  const leftBehind: Promise<void>[] = []
  await journal.as('ada', async () => {
    leftBehind.push(sleep(5).then(() => journal.note(step('a timer'))))
  })
  await Promise.all(leftBehind)
  expect(storyOf(journal, 'ada')).toEqual([])
})

test('a step without a shopper is in no story', async () => {
  const journal = createJournal()
  journal.note(step('a schedule'))
  await journal.as(null, async () => journal.note(step('a stranger')))
  expect(storyOf(journal, 'ada')).toEqual([])
})

describe('the story of the shop', () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo({ port: 0 })
  })
  afterAll(() => demo.close())

  const tell = (step: object | null, cookie: string) =>
    fetch(`${demo.url}/api/shop/story`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(step && { at: Date.now(), ...step }),
    })

  async function steps(cookie: string, isEnough: (found: readonly Step[]) => boolean): Promise<Step[]> {
    const stream = await fetch(`${demo.url}/api/shop/story`, { headers: { cookie } })
    const found: Step[] = []
    let text = ''
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      found.splice(
        0,
        found.length,
        ...[...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '')),
      )
      if (isEnough(found)) break
    }
    return found
  }

  const cookieOf = async () => (await fetch(demo.url)).headers.get('set-cookie')?.split(';')[0] ?? ''

  test('the story shows a shopper only their own steps, and nothing of another’s purchase', async () => {
    const buyer = await visit(demo.url)
    const order = await buyAt(demo, (await buyer.begin('gold-100')).params)
    await expect.poll(async () => (await buyer.fulfilled()).delivered).toEqual([order])
    const [mine, theirs] = await Promise.all([cookieOf(), cookieOf()])
    await tell({ from: 'page', to: 'page', text: 'theirs' }, theirs)
    await tell({ from: 'page', to: 'widget', text: 'mine' }, mine)
    const texts = (await steps(mine, (found) => found.length > 0)).map(({ text }) => text)
    expect(texts).toEqual(['mine'])
  })

  test.each([
    ['an actor that is not in the play', { from: 'page', to: 'audience', text: 'x' }],
    ['a speech', { from: 'page', to: 'page', text: 'x'.repeat(121) }],
    ['more than a step', { from: 'page', to: 'page', text: 'x', html: '<b>' }],
    ['no step at all', null],
  ])('refuses %s', async (_what, step) => {
    expect((await tell(step, await cookieOf())).status).toBe(400)
  })

  test('the story contains no order id and no token', async () => {
    const cookie = await cookieOf()
    const response = await fetch(`${demo.url}/api/purchase-widget/token`, {
      method: 'POST',
      headers: { cookie, origin: demo.url, 'content-type': 'application/json' },
      body: JSON.stringify({ params: { product_id: 'gold-100' } }),
    })
    const { params } = (await response.json()) as Grant
    const id = await buyAt(demo, params)
    await fetch(`${demo.url}/api/purchase-widget/orders/${id}`, { headers: { cookie } })
    const isWhole = (found: readonly Step[]): boolean =>
      ['/orders/…', 'Delivers'].every((part) => JSON.stringify(found).includes(part))
    const story = JSON.stringify(await steps(cookie, isWhole))
    expect(story).not.toContain(id)
    expect(story).not.toContain(params.custom_id)
  })
})
