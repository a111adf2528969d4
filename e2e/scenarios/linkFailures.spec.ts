// Promise: link/refused
// Promise: link/wrong-page
/**
 * A link that opens no widget, in a frame, a dialog and a window: the shopper reads why, in their language, and has a way on, and the page's
 * `error` event has code and message.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PurchaseRefused } from '@purchase-widget/server'
import { languages } from '../../packages/loader/src/languages.ts'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import type { Shop } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Tab, View } from './driver.ts'
import { developerErrors, noticesOn, reportErrors, smallWindow } from './failureReport.ts'
import { widgetIn } from './widgetPage.ts'

interface Failure {
  shop?: Shop
  /** Answers in place of the companion. */
  answer?: Interceptor
  /** How long the page waits for an answer, in milliseconds; by default as long as a page does. */
  loadTimeout?: number
  /** What answered late: the shopper is in the widget after all. */
  isLate?: true
  isServiceAway?: true
  language?: 'de'
  /** The sentence: on the companion's page in the widget's place, or else in the loader's notice. */
  shown: { page: string } | { notice: string }
  /** The first words of the developer's error. */
  error: string
}

const notStarted = { notice: 'The purchase could not be started. You have not been charged.' }
const wrongPage = 'open_failed: GET /launch: a page of this site is in the place of the widget.'
const answerWith =
  (status: number, body: string): Interceptor =>
  (_request, response) =>
    Boolean(response.writeHead(status, { 'content-type': 'text/html' }).end(body))

const failures: Record<string, Failure> = {
  'the shop refuses': {
    shop: {
      createPurchase() {
        throw new PurchaseRefused('This one is sold out.')
      },
    },
    shown: { page: 'This one is sold out.' },
    error: 'token_failed: GET /launch: purchase_refused. This one is sold out.',
  },
  'the shopper is signed out': {
    shop: { authorize: () => null },
    shown: { page: 'Sign in first.' },
    error: 'token_failed: GET /launch: unauthorized.',
  },
  'the shopper has opened too many': {
    shop: { rateLimit: { perShopper: 1 } },
    shown: { page: 'Too many attempts. Try again in a minute.' },
    error: 'token_failed: GET /launch: too_many_requests.',
  },
  'the service is unreachable': {
    isServiceAway: true,
    shown: { page: 'The purchase cannot be started at the moment. Try again soon.' },
    error: 'token_failed: GET /launch: service_unavailable.',
  },
  'a proxy answers 502': {
    answer: answerWith(502, '<h1>Bad gateway</h1>'),
    shown: notStarted,
    error: wrongPage,
  },
  'a development server answers with the app': {
    answer: answerWith(200, '<title>Shop</title><div id="app">The app</div>'),
    shown: notStarted,
    error: wrongPage,
  },
  'nothing is mounted there': {
    answer: answerWith(404, 'Cannot GET /companion/launch'),
    shown: notStarted,
    error: wrongPage,
  },
  'nothing answers': {
    answer: () => new Promise(() => {}),
    loadTimeout: 3_000,
    shown: notStarted,
    error: 'load_timeout: ',
  },
  'the answer takes 30 s': {
    answer: () => sleep(30_000, false),
    isLate: true,
    shown: notStarted,
    error: 'load_timeout: ',
  },
  'a German shopper is signed out': {
    language: 'de',
    shop: { authorize: () => null },
    shown: { page: 'Melden Sie sich zuerst an.' },
    error: 'token_failed: GET /launch: unauthorized.',
  },
  'a proxy answers a German shopper 502': {
    language: 'de',
    answer: answerWith(502, '<h1>Bad gateway</h1>'),
    shown: { notice: 'Der Kauf konnte nicht gestartet werden. Ihnen wurde nichts berechnet.' },
    error: wrongPage,
  },
}

/** In tests, one failure of each kind in the place that shows it last. */
const inTest = ['the service is unreachable', 'a proxy answers 502', 'nothing answers']

test.use({ shopperOptions: smallWindow })

for (const mode of ['iframe', 'modal', 'popup'] as const) {
  for (const [name, failure] of Object.entries(failures)) {
    if (!full && (mode !== 'popup' || !inTest.includes(name))) continue
    test(`${mode}: when ${name}, the shopper reads why, and the page receives the error`, {
      tag: name === 'a proxy answers 502' ? [] : oneEngine,
    }, async ({ shopper, merchant, service }) => {
      const { shop, answer, isServiceAway, shown, error, language, isLate, loadTimeout = 15_000 } = failure
      service.sell(shop ?? {})
      const source = `companion: '/companion', widgetOrigin: '${service.widgetUrl}', params: { product_id: 'gold-100' }`
      const words = language ? `locale: '${language}', strings: ${JSON.stringify(languages[language])},` : ''
      merchant.page(
        '/',
        hostPage({
          options: `{ ${source}, mode: '${mode}', ${mode === 'iframe' ? `container: '#slot',` : ''} ${words} loadTimeout: ${loadTimeout} }`,
          before: reportErrors,
          // Uses up an allowance of one.
          extra: shop?.rateLimit
            ? '<iframe src="/companion/launch?product_id=gold-100" onload="this.remove()"></iframe>'
            : '',
        }),
      )
      if (answer) {
        merchant.intercept((request, response) =>
          request.url?.startsWith('/companion/launch') ? answer(request, response) : false,
        )
      }
      if (isServiceAway) await service.vanish()
      try {
        const host = await shopper.visit(merchant.url)
        await expect.poll(() => merchant.reports()).toContain('page ready')
        await expect.poll(() => host.page.count('iframe'), 'the allowance is used up').toBe(0)
        await host.page.click({ button: 'Buy' })
        if ('page' in shown) await expectPage(await widgetIn(shopper, host, mode, 'self'), shown.page)
        else await expectNotice(host, shown.notice, languages[language ?? 'en'].retry)
        await expect.poll(() => developerErrors(merchant)).toEqual([expect.stringContaining(error)])
        // The shopper can try again: nothing has ended.
        expect(merchant.reports().join('\n')).not.toContain('result')
        if (isLate) {
          const widget = await widgetIn(shopper, host, mode, 'self')
          await expect.poll(() => widget.text({ label: 'Email' }), 'the widget').not.toBeNull()
          const sentences = async () => (await noticesOn(host.page)).map(({ sentence }) => sentence)
          await expect.poll(sentences, 'sentences').not.toContain(notStarted.notice)
        }
        recordFigure(`link: ${name}, ${mode}, ${shopper.engine}`, developerErrors(merchant)[0] ?? '')
      } finally {
        if (isServiceAway) await service.comeBack()
      }
    })
  }
}

/** The companion's own page, with a link or button to go on. */
async function expectPage(place: View, sentence: string): Promise<void> {
  await expect.poll(() => place.text({ css: 'h1' }).catch(() => null), 'the page').toBe(sentence)
  expect(await place.count('main a, main button'), 'ways on').toBeGreaterThan(0)
}

/** The loader's notice, in the dialog or beside a window. */
async function expectNotice({ page }: Tab, sentence: string, way: string): Promise<void> {
  const waysOn = async (): Promise<string[]> =>
    (await noticesOn(page)).find((notice) => notice.sentence === sentence)?.ways ?? []
  await expect.poll(waysOn, 'ways on').toContain(way)
  expect((await waysOn()).length, 'ways on').toBeGreaterThan(1)
}
