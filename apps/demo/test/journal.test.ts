// Promise: demo/story
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Step } from '../exchange.ts'
import { createJournal, type Journal } from '../server/journal.ts'

const step = (text: string): Step => ({ from: 'server', to: 'service', text })

function storyOf(journal: Journal, shopper: string): string[] {
  const texts: string[] = []
  journal.follow(shopper, ({ text }) => texts.push(text))()
  return texts
}

test('a step belongs to the shopper for whom it is done', async () => {
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

test('what was started for a shopper and goes on after them is nobody’s', async () => {
  const journal = createJournal()
  const leftBehind: Promise<void>[] = []
  await journal.as('ada', async () => {
    leftBehind.push(sleep(5).then(() => journal.note(step('a timer'))))
  })
  await Promise.all(leftBehind)
  expect(storyOf(journal, 'ada')).toEqual([])
})

test('what nobody asked for is in no story', async () => {
  const journal = createJournal()
  journal.note(step('a schedule'))
  await journal.as(null, async () => journal.note(step('a stranger')))
  expect(storyOf(journal, 'ada')).toEqual([])
})

test('an order that is read for one shopper and is another’s is in the other’s story', async () => {
  const journal = createJournal()
  await journal.as('ada', () =>
    journal.about(
      async () => {
        journal.note(step('retrieve'))
        return { custom_id: 'bob' }
      },
      (order) => order.custom_id,
    ),
  )
  expect(storyOf(journal, 'ada')).toEqual([])
  expect(storyOf(journal, 'bob')).toEqual(['retrieve'])
})

test('a read that fails is in the story of whoever it was made for', async () => {
  const journal = createJournal()
  const failed = journal.as('ada', () =>
    journal.about(
      async () => {
        journal.note(step('retrieve, 503'))
        throw new Error('503')
      },
      () => 'bob',
    ),
  )
  await expect(failed).rejects.toThrow('503')
  expect(storyOf(journal, 'ada')).toEqual(['retrieve, 503'])
})
