// Promise: token/failures
/**
 * Ten failures of the token call, in every mode: the shopper gets a sentence and a recovery action, the developer gets code and cause,
 * and a retry sells. Nothing remains when the shopper cancels.
 */
import { full } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Interceptor } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import {
  developerErrors,
  inWords,
  noticeWith,
  recordFailure,
  reportErrors,
  smallWindow,
} from './failureReport.ts'
import { type Mode, otherTab, widgetIn } from './widgetPage.ts'

const refusal =
  (status: number, body = '{"error":{"code":"refused","message":"Not today."}}'): Interceptor =>
  (_request, response) =>
    Boolean(response.writeHead(status, { 'content-type': 'application/json' }).end(body))

interface Failure {
  answer: Interceptor
  /** The developer's message after `token_failed`. */
  cause: string
}

/** In production, without a response, the message is the companion's address and the link. */
const noToken = '/companion: https://github.com/purchase-widget/toolkit/blob/main/docs/errors.md#token_failed'
const failures: Record<string, Failure> = {
  'a 401': { answer: refusal(401), cause: 'POST /launch: 401 refused. Not today.' },
  'a 403': { answer: refusal(403), cause: 'POST /launch: 403 refused. Not today.' },
  'a 404': { answer: refusal(404, ''), cause: 'POST /launch: 404.' },
  'a 429': { answer: refusal(429), cause: 'POST /launch: 429 refused. Not today.' },
  'a 500': { answer: refusal(500, 'broken'), cause: 'POST /launch: 500.' },
  HTML: {
    answer: (_request, response) =>
      Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')),
    cause: 'POST /launch: 200.',
  },
  'an empty answer': { answer: refusal(200, ''), cause: 'POST /launch: 200.' },
  'no answer': { answer: () => new Promise(() => {}), cause: 'loadTimeout' },
  'no network': { answer: (request) => Boolean(request.destroy()), cause: noToken },
  'a reset connection': { answer: (request) => Boolean(request.socket.resetAndDestroy()), cause: noToken },
}

/** The tab that shows the sentence. */
const placeOf = async (shopper: Shopper, host: Tab, mode: Mode): Promise<Tab> =>
  mode === 'popup' ? otherTab(shopper, host) : host

/** Without a response the test waits for this timeout; otherwise it must not expire before a slow machine responds. Applies to both attempts. */
const loadTimeoutOf = (name: string): number => (name === 'no answer' ? 5_000 : 15_000)

test.use({ shopperOptions: smallWindow })

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
for (const mode of modes) {
  for (const [name, { answer, cause }] of Object.entries(failures)) {
    // A response, no response and a broken connection in a dialog, and the response in the other modes; a window in every engine.
    // The loader's token tests cover the wording of each refusal.
    const isSample =
      mode === 'modal'
        ? /^(a 500|no answer|a reset connection)$/.test(name)
        : mode !== 'iframe' && name === 'a 500'
    if (!full && !isSample) continue
    test(`${mode}: when the token call gets ${name}, the shopper can retry`, {
      tag: name === 'a 500' && mode === 'popup' ? [] : oneEngine,
    }, async ({ shopper, merchant }) => {
      const container = mode === 'iframe' ? `container: '#slot',` : ''
      const options = `{ companion: '/companion', mode: '${mode}', ${container} loadTimeout: ${loadTimeoutOf(name)} }`
      merchant.page('/', hostPage({ options, before: reportErrors }))
      let isBroken = true
      merchant.intercept((request, response) =>
        isBroken && request.url === '/companion/launch' ? answer(request, response) : false,
      )
      const host = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      await host.page.click({ button: 'Buy' })
      const place = await placeOf(shopper, host, mode)
      await expect.poll(() => noticeWith(place.page, 'Try again'), 'a way on').not.toBeNull()
      await expect.poll(() => developerErrors(merchant)).toHaveLength(1)
      const developer = `${developerErrors(merchant)[0]}`.replace(merchant.url, '')
      expect(developer).toContain(`token_failed: ${cause}`)
      expect(merchant.reports().join()).not.toContain('result')
      const notice = await noticeWith(place.page, 'Try again')
      expect(notice?.sentence).toBe('The purchase could not be started. You have not been charged.')
      recordFailure(shopper, {
        failure: `the token call gets ${name}`,
        mode,
        shopper: notice ? inWords(notice) : '',
        developer,
        when: name === 'no answer' ? 'after `loadTimeout`' : 'at once',
      })

      isBroken = false
      await place.page.click({ button: 'Try again' })
      const widget = await widgetIn(shopper, host, mode, 'self')
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
    })
  }
}
