// Promise: return/no-session
/** The companion's page at the end of a purchase: its content, that it always answers, whom its script notifies, and whose answer it accepts. */
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { refusalScript } from '../../src/companion/failureAnswer.ts'
import { returnScript } from '../../src/companion/routes/return.ts'
import { type Companion, type CompanionOptions, memoryStore, type TokenGrant } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, get, post, shopOrigin } from '../support/companion.ts'

const { client } = await companionOfThisFile()

const shop = (options: Partial<CompanionOptions> = {}): Companion =>
  companionOf(client, {
    createPurchase: () => ({
      params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
      returnUrl: '/thanks?a=1&b=<2>',
      failReturnUrl: 'com.example.shop:/return',
    }),
    ...options,
  })

async function begin(
  companion: Companion,
  body: object = {},
  headers?: Record<string, string>,
): Promise<string> {
  const grant = await bodyOf(companion.fetch(post('/token', body, 'ada', headers)))
  return (grant as TokenGrant).purchaseId
}

interface Page {
  html: string
  policy: string
  data: { hosts: string[]; outcome: string; returnUrl: string | null; atOnce: boolean; purchaseId: string }
}

async function pageAt(companion: Companion, path: string): Promise<Page> {
  const response = await companion.fetch(get(path))
  expect(response.status).toBe(200)
  const html = await response.text()
  const [, json = ''] = /<script type="application\/json" id="purchase">(.*)<\/script>/.exec(html) ?? []
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'unsafe-none',
  })
  return { html, policy: headers['content-security-policy'] ?? '', data: JSON.parse(json) as Page['data'] }
}

test('the return page needs no session, and leads to the merchant’s address with the purchase named', async () => {
  const companion = shop()
  const id = await begin(companion)
  const { html, data } = await pageAt(companion, `/return/${id}`)
  const returnUrl = `${shopOrigin}/thanks?a=1&b=%3C2%3E&purchase=${id}`
  expect(data).toEqual({ purchaseId: id, outcome: 'success', hosts: [shopOrigin], returnUrl, atOnce: false })
  const written = returnUrl.replaceAll('&', '&#38;')
  expect(html).toContain(`<title>${new URL(shopOrigin).host}</title>`)
  // Its own address, as the service received it, tells the doctor where it is.
  expect(html).toContain(`<link rel="canonical" href="${shopOrigin}/api/purchase-widget/return/${id}">`)
  expect(html).toContain(`<a href="${written}"`)
  expect(html).toContain(`<noscript><meta http-equiv="refresh" content="0;url=${written}"></noscript>`)
})

test.each([
  [{ params: { locale: 'de-AT' } }, 'fr', 'de', 'Sie können zum Shop zurückkehren.'],
  [{}, 'xx;q=1, fr-CA;q=0.9, de;q=0.1', 'fr', 'Vous pouvez revenir à la boutique.'],
  [{ params: { locale: 'he' } }, 'de', 'he', 'אפשר לחזור לחנות.'],
  [{ params: { locale: 'ar-EG' } }, 'de', 'ar', 'يمكنك العودة إلى المتجر.'],
  [{}, 'iw', 'he', 'אפשר לחזור לחנות.'],
  [{}, 'in-ID', 'id', 'Anda dapat kembali ke toko.'],
  [{}, 'pt-PT', 'pt-BR', 'Você pode voltar à loja.'],
  [{ params: { locale: 'pt_BR' } }, 'de', 'pt-BR', 'Você pode voltar à loja.'],
  [{}, 'zh-SG', 'zh-CN', '您可以返回商店。'],
  [{}, 'zh-Hans-HK', 'zh-CN', '您可以返回商店。'],
  [{}, 'zh-hk', 'zh-TW', '您可以回到商店。'],
  [{}, 'zh-Hant', 'zh-TW', '您可以回到商店。'],
  [{ params: { locale: 'zh-Hant-SG' } }, 'de', 'zh-TW', '您可以回到商店。'],
  // As Java and Android, Apple's systems, and servers write a locale.
  [{ params: { locale: 'zh_TW_#Hant' } }, 'de', 'zh-TW', '您可以回到商店。'],
  [{ params: { locale: 'de_DE@rg=chzzzz' } }, 'fr', 'de', 'Sie können zum Shop zurückkehren.'],
  [{ params: { locale: 'de_DE.UTF-8' } }, 'fr', 'de', 'Sie können zum Shop zurückkehren.'],
  [
    { params: { locale: 'nb' } },
    'nn-NO, no;q=0.9, sv;q=0.8, en;q=0.7',
    'sv',
    'Du kan gå tillbaka till butiken.',
  ],
  [{}, 'no', 'en', 'You can go back to the shop.'],
  [{}, 'constructor', 'en', 'You can go back to the shop.'],
])(
  'the return page uses the language of the purchase, else of the browser: %j, %s',
  async (body, accepted, lang, sentence) => {
    const companion = shop()
    const id = await begin(companion, body)
    const asked = get(`/return/${id}`, undefined, { 'accept-language': accepted })
    const html = await (await companion.fetch(asked)).text()
    expect(html).toContain(`<html lang="${lang}" dir="${['ar', 'he'].includes(lang) ? 'rtl' : 'ltr'}">`)
    expect(html).toContain(`<h1>${sentence}</h1>`)
  },
)

test('the return page of a failed purchase leads to the address for failures, also an app’s', async () => {
  const companion = shop()
  const id = await begin(companion)
  const { data } = await pageAt(companion, `/return/${id}/failed`)
  expect(data).toMatchObject({ outcome: 'failure', returnUrl: `com.example.shop:/return?purchase=${id}` })
})

test('the return page ignores anything that the service appends', async () => {
  const companion = shop()
  const purchaseId = await begin(companion)
  for (const appended of [
    '?order_id=1&type=order_complete',
    '&order_id=1',
    '?a=1?b=2',
    '?%E0%A4%A&%%',
    '/?order_id=1',
    '&x=/return/AAAAAAAAAAAAAAAAAAAAAA/failed',
  ]) {
    const { data } = await pageAt(companion, `/return/${purchaseId}${appended}`)
    expect(data).toMatchObject({ purchaseId, outcome: 'success' })
    const failed = await pageAt(companion, `/return/${purchaseId}/failed${appended}`)
    expect(failed.data).toMatchObject({ purchaseId, outcome: 'failure' })
  }
})

describe('its policy', () => {
  test('its policy lets only the page that created the purchase frame it', async () => {
    const other = 'https://app.example'
    const companion = shop({ allowedOrigins: [shopOrigin, other] })
    const id = await begin(companion, {}, { origin: other })
    const { policy, html, data } = await pageAt(companion, `/return/${id}`)
    const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(policy) ?? []
    expect(policy.split('; ').sort()).toEqual(
      [
        "base-uri 'none'",
        "default-src 'none'",
        "form-action 'none'",
        `frame-ancestors ${other}`,
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
      ].sort(),
    )
    expect(html.match(new RegExp(`nonce="${nonce}"`, 'g'))).toHaveLength(2)
    expect(data.hosts).toEqual([other])
    expect((await pageAt(companion, `/return/${id}`)).policy).not.toContain(nonce)
  })

  test('its policy names no app’s origin, which a browser would reject', async () => {
    const companion = shop({ allowedOrigins: ['com.example.shop://return'] })
    const { policy } = await pageAt(companion, '/return/AAAAAAAAAAAAAAAAAAAAAA')
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

// Promise: return/store-away
test('the return page allows all allowed origins while the store is down, slow, or without the purchase', async () => {
  const store = memoryStore()
  const finds = {
    away: () => Promise.reject(new Error('away')),
    slow: () => new Promise<never>(() => {}),
    forgetful: async () => null,
  }
  for (const find of Object.values(finds)) {
    const companion = shop({
      store: { ...store, purchases: { ...store.purchases, find } },
      allowedOrigins: [shopOrigin, 'https://app.example'],
    })
    const { policy, data } = await pageAt(companion, '/return/AAAAAAAAAAAAAAAAAAAAAA')
    expect(policy).toContain(`frame-ancestors ${shopOrigin} https://app.example`)
    expect(data).toMatchObject({ returnUrl: null, hosts: [shopOrigin, 'https://app.example'] })
  }
})

test('the return page continues at once only if this tab was the widget’s', async () => {
  const companion = shop()
  const atOnce = async (body: object): Promise<boolean> =>
    (await pageAt(companion, `/return/${await begin(companion, body)}`)).data.atOnce
  expect(await atOnce({ surface: 'redirect', redirectPage: 'self' })).toBe(true)
  expect(await atOnce({ surface: 'redirect', redirectPage: 'new' })).toBe(false)
  expect(await atOnce({ surface: 'popup', redirectPage: 'self' })).toBe(false)
  expect(await atOnce({ surface: 'modal', redirectPage: 'self' })).toBe(false)
})

test('the return page has no limit by address: many shoppers may return at once', async () => {
  const companion = shop({ rateLimit: { perAddress: 1, perShopper: 1 } })
  const id = await begin(companion)
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => companion.fetch(get(`/return/${id}`), { address: '198.51.100.7' })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('there is no return page if the path names no purchase', async () => {
  for (const id of ['', 'short', 'A'.repeat(23), `${'A'.repeat(21)}%41`])
    expect((await shop().fetch(get(`/return/${id}`))).status, id).toBe(404)
})

const purchaseId = 'AAAAAAAAAAAAAAAAAAAAAA'
const hosts = ['https://shop.example', 'https://app.example:8443']
const returnUrl = 'https://shop.example/thanks'
const acknowledgement = { source: 'purchase-widget', type: 'heard', purchaseId, close: true }

type Listener = (event: { source: unknown; origin: string; data: unknown }) => void

/** Runs it in a window that a page has opened. */
function run(): {
  opener: { postMessage: ReturnType<typeof vi.fn> }
  receive: Listener
  close: ReturnType<typeof vi.fn>
} {
  const opener = { postMessage: vi.fn() }
  const close = vi.fn()
  const listeners: Listener[] = []
  const window = {
    opener,
    close,
    parent: null as unknown,
    addEventListener: (_: string, listener: Listener) => void listeners.push(listener),
  }
  window.parent = window
  runInNewContext(returnScript, {
    window,
    document: {
      body: { classList: { add: vi.fn() } },
      getElementById: () => ({
        textContent: JSON.stringify({ purchaseId, outcome: 'success', hosts, returnUrl, atOnce: false }),
      }),
    },
    location: { replace: vi.fn() },
    setTimeout: vi.fn(),
  })
  return { opener, close, receive: (event) => listeners.forEach((listener) => void listener(event)) }
}

// Promise: return/tells
test('the script notifies the page that opened the widget by its exact origins, and no other', () => {
  const { opener } = run()
  const message = { source: 'purchase-widget', type: 'returned', purchaseId, outcome: 'success', returnUrl }
  expect(opener.postMessage.mock.calls).toEqual(hosts.map((origin) => [message, origin]))
})

test('the script closes the window when that page answers from one of these origins', () => {
  for (const origin of hosts) {
    const { receive, opener, close } = run()
    receive({ source: opener, origin, data: acknowledgement })
    expect(close).toHaveBeenCalledOnce()
  }
})

test.each<[string, Partial<Parameters<Listener>[0]>]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that looks like it', { origin: 'https://shop.example.evil.example' }],
  ['its host on another port', { origin: 'https://app.example' }],
  ['no origin', { origin: 'null' }],
  ['another window', { source: {} }],
  ['no window', { source: null }],
  ['another purchase', { data: { ...acknowledgement, purchaseId: 'B'.repeat(22) } }],
  ['another library', { data: { ...acknowledgement, source: 'other' } }],
  ['another message', { data: { ...acknowledgement, type: 'returned' } }],
  ['nothing', { data: null }],
])('the script ignores an answer of %s', (_, changed) => {
  const { receive, opener, close } = run()
  receive({ source: opener, origin: 'https://shop.example', data: acknowledgement, ...changed })
  expect(close).not.toHaveBeenCalled()
})

const windowsOf = {
  'a frame': (host: object) => ({ parent: host }),
  'a window of its own': (opener: object) => {
    const window = { opener, parent: null as unknown }
    window.parent = window
    return window
  },
}

test.each(Object.entries(windowsOf))(
  'in %s the page of a refusal notifies the waiting page by its exact origin, and no other, and asks it to start again',
  (_, windowOf) => {
    const host = { postMessage: vi.fn() }
    const again = { hidden: true, onclick: () => {} }
    const purchase = { textContent: JSON.stringify({ purchaseId, hosts: [hosts[0]] }) }
    runInNewContext(refusalScript, {
      window: windowOf(host),
      document: { getElementById: (id: string) => (id === 'again' ? again : purchase) },
    })
    expect(again.hidden).toBe(false)
    again.onclick()
    const message = { source: 'purchase-widget', purchaseId }
    expect(host.postMessage.mock.calls).toEqual(
      ['refused', 'retry'].map((type) => [{ ...message, type }, hosts[0]]),
    )
  },
)
