import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { PurchaseResult, WidgetState } from '../../src/index.ts'
import { button, createCompanion, find, frames, shells } from './page.ts'

const queued: string[] = []

/** As the page sees it: the stub first, a click and a call while the file is on its way, then the file. */
beforeAll(async () => {
  await import('../../src/stub.ts')
  const early = addButton({ companion: (await createCompanion()).url, title: 'Early' })
  early.click()
  early.click()
  page().ready(() => queued.push('ready'))
  expect(queued).toEqual([])
  await import('../../src/scriptTag.ts')
})

afterEach(async () => {
  for (const root of shells()) root.querySelector<HTMLDialogElement>('dialog')?.close()
  for (const each of document.querySelectorAll('[data-purchase-widget]')) each.remove()
  await expect.poll(shells).toEqual([])
})

const page = (): { ready(callback: () => void): void } =>
  (window as unknown as { PurchaseWidget: { ready(callback: () => void): void } }).PurchaseWidget

function addButton(data: Record<string, string>): HTMLButtonElement {
  const element = document.body.appendChild(document.createElement('button'))
  element.setAttribute('data-purchase-widget', '')
  for (const [name, value] of Object.entries(data)) element.setAttribute(`data-${name}`, value)
  return element
}

const hear = <Detail>(target: EventTarget, type: string): Detail[] => {
  const heard: Detail[] = []
  const listener = (event: Event): void => void heard.push((event as CustomEvent<Detail>).detail)
  target.addEventListener(`purchasewidget:${type}`, listener)
  onTestFinished(() => target.removeEventListener(`purchasewidget:${type}`, listener))
  return heard
}

test('clicks and calls before the file has loaded are made up for, once', async () => {
  expect(queued).toEqual(['ready'])
  await expect.poll(() => frames().map(({ title }) => title)).toEqual(['Early'])
})

test('a button opens the widget with its attributes, and its result bubbles to the page', async () => {
  const companion = await createCompanion()
  const buy = addButton({ companion: companion.url, 'param-product_id': 'gold-100', 'param-clickid': 'c7' })
  const results = hear<PurchaseResult>(document, 'result')
  const states = hear<WidgetState>(document, 'statechange')
  buy.click()
  expect(find('dialog').matches('[open]')).toBe(true)
  await expect.poll(() => states.at(-1)?.status).toBe('loaded')
  button('Close').click()
  await expect.poll(() => results).toEqual([{ status: 'closed' }])
})

test('a button that is added later works, and so does one with something inside', async () => {
  const buy = addButton({ companion: (await createCompanion()).url })
  buy.append(document.createElement('span'))
  buy.querySelector('span')?.click()
  expect(frames()).toHaveLength(1)
})

test('attributes are read at the click', async () => {
  const buy = addButton({ companion: (await createCompanion()).url, title: 'One' })
  buy.click()
  expect(frames()[0]?.title).toBe('One')
  button('Close').click()
  buy.dataset.title = 'Two'
  buy.click()
  expect(frames()[0]?.title).toBe('Two')
})

test('a token in an attribute is not read', async () => {
  const buy = addButton({ 'access-token': 'canary-token', 'widget-url': 'https://widget.example' })
  const results = hear<PurchaseResult>(document, 'result')
  const onError = (event: ErrorEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('error', onError, { capture: true })
  buy.click()
  removeEventListener('error', onError, { capture: true })
  expect(results).toMatchObject([{ status: 'error', error: { code: 'invalid_options' } }])
  expect(frames()).toEqual([])
})

test.each(['__proto__', 'constructor', 'prototype'])('data-param-%s changes no prototype', async (name) => {
  const before = Object.getOwnPropertyNames(Object.prototype)
  addButton({ companion: (await createCompanion()).url, [`param-${name}`]: 'x', [name]: 'y' }).click()
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('loading the file twice is harmless', async () => {
  const again = '../../src/scriptTag.ts?again'
  await import(/* @vite-ignore */ again)
  addButton({ companion: (await createCompanion()).url }).click()
  expect(frames()).toHaveLength(1)
})
