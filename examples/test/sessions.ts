/** The session of an example whose visitors are guests: signed, so that nobody else can write it, and over after its time. */
import { expect } from '@playwright/test'

interface Shops {
  /** The shop where Ada is a guest. */
  shop: string
  /** The same shop a month later. */
  later: string
  /** A shop with another secret. */
  elsewhere: string
}

export async function expectSessions({ shop, later, elsewhere }: Shops): Promise<void> {
  const ada = await welcome(shop, shop)
  const known = await shopperAt(shop, shop, ada)
  expect(known, 'signed in').toBeTruthy()
  expect(await shopperAt(shop, shop, ada), 'the same the next time').toBe(known)
  expect(await shopperAt(shop, shop, ''), 'signed out').not.toBe(known)
  const place = ada.indexOf('=') + 25
  const forged = ada.slice(0, place) + (ada[place] === 'a' ? 'b' : 'a') + ada.slice(place + 1)
  expect(await shopperAt(shop, shop, forged), 'forged').not.toBe(known)
  const eve = await welcome(shop, shop)
  expect(await shopperAt(shop, shop, eve), 'switched').toBeTruthy()
  expect(await shopperAt(shop, shop, eve), 'switched').not.toBe(known)
  expect(await shopperAt(elsewhere, shop, ada), 'signed with another secret').not.toBe(known)
  expect(await shopperAt(later, shop, ada), 'expired').not.toBe(known)
}

/** The cookie of a new guest: of the page, else of the first purchase. */
async function welcome(url: string, origin: string): Promise<string> {
  const answers = [await fetch(url), await launch(url, origin, '')]
  const cookies = answers.flatMap((answer) => answer.headers.getSetCookie())
  return cookies[0]?.split(';')[0] ?? ''
}

/** Who a purchase is begun for; null when it is nobody. */
async function shopperAt(url: string, origin: string, cookie: string): Promise<string | null> {
  const answer = await launch(url, origin, cookie)
  if (answer.status === 401) return null
  const { params } = (await answer.json()) as { params: { custom_id: string } }
  return params.custom_id
}

const launch = (url: string, origin: string, cookie: string): Promise<Response> =>
  fetch(`${url}/api/purchase-widget/launch`, {
    method: 'POST',
    body: JSON.stringify({ params: { product_id: 'gold-100' } }),
    headers: { 'content-type': 'application/json', origin, cookie },
  })
