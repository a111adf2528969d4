// Promise: surface/widget-failures
/**
 * Ways for the widget itself not to come, in every mode: the service answers 500, refuses the connection or never answers, the page's own
 * policy forbids frames, the browser blocks the window. The shopper always has a way on; where the browser reports a load, a quiet one.
 */
import type { RequestListener } from 'node:http'
import { full } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { holdRefusingPort, startWidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab } from './driver.ts'
import {
  inWords,
  type Notice,
  noticesOn,
  recordFailure,
  smallWindow,
  tellDeveloper,
  toldTo,
} from './failureReport.ts'
import { type Mode, otherTab } from './widgetPage.ts'

interface Failure {
  /** Null where the service does not even listen. */
  answer: RequestListener | null
  headers?: Record<string, string>
  /** Runs before the loader. */
  before?: string
}

const failures: Record<string, Failure> = {
  'the widget answers 500': { answer: (_request, response) => void response.writeHead(500).end('Broken') },
  'the widget refuses the connection': { answer: null },
  'the widget never answers': { answer: () => {} },
  "the page's policy forbids the frame": {
    answer: workingWidget,
    headers: { 'content-security-policy': "frame-src 'self'" },
  },
  'the browser blocks the window': { answer: workingWidget, before: 'window.open = () => null' },
}

const isWindow = (mode: Mode): boolean => mode === 'popup' || mode === 'redirect'

/** A policy concerns frames alone, and a blocked window those that are asked for. */
const concerns = (failure: string, mode: Mode): boolean =>
  failure.includes('policy') ? !isWindow(mode) : failure.includes('blocks') ? isWindow(mode) : true

const loadTimeout = 2_000
const waysOn = /^(Try again|Open in a new window|Having trouble\?|Cancel|Show window)$/

test.use({ shopperOptions: smallWindow })

// Frames are in `frameFailures`, and a blocked window in `inAppBrowsers`.
const modes: readonly Mode[] = full ? ['iframe', 'modal', 'popup', 'redirect'] : ['popup']
for (const [name, failure] of Object.entries(failures)) {
  if (!full && name.includes('blocks')) continue
  for (const mode of modes.filter((mode) => concerns(name, mode))) {
    test(`${mode}: when ${name}, the shopper can go on`, {
      tag: oneEngine,
    }, async ({ shopper, merchant }) => {
      const widget = await (failure.answer ? startWidgetHost(failure.answer) : holdRefusingPort())
      try {
        const container = mode === 'iframe' ? `container: '#slot',` : ''
        const options = `{ widgetUrl: '${widget.url}', accessToken: 'token', mode: '${mode}', redirectPage: 'new', ${container} loadTimeout: ${loadTimeout} }`
        const { before = '', headers = {} } = failure
        merchant.page('/', hostPage({ options, before: before + tellDeveloper, headers }))
        await expectWayOn(shopper, merchant, name, mode)
      } finally {
        await widget.close()
      }
    })
  }
}

async function expectWayOn(shopper: Shopper, merchant: Merchant, failure: string, mode: Mode): Promise<void> {
  // A driver cannot look into a window that waits for an answer, and WebKit tells nobody that a connection was refused: there the page behind
  // it is read.
  const isSilent = shopper.engine === 'webkit' && mode === 'popup' && failure.includes('refuses')
  const waits = isSilent || (isWindow(mode) && failure.includes('never'))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'Buy' })
  if (failure.includes('blocks')) {
    await expect.poll(() => merchant.reports()).toContain('blocked modal')
    await expect.poll(() => host.frame('iframe').text({ css: 'h1' }), 'the widget').toBe('Widget')
    return record('the widget in a dialog of the page')
  }
  const places = isWindow(mode) && !waits ? [await otherTab(shopper, host), host] : [host]
  // It has failed, or something has loaded.
  const settled = (): boolean =>
    waits || merchant.reports().some((entry) => /^(error|state loaded)/.test(entry))
  await expect.poll(settled, 'failed or loaded').toBe(true)
  await expect.poll(async () => (await offered(places)).length, 'ways on').toBeGreaterThan(0)
  return record((await offered(places)).map(inWords).join(', beside it '))

  function record(shown: string): void {
    const [developer] = toldTo(merchant)
    const when = developer?.startsWith('load_timeout') ? 'after `loadTimeout`' : 'at once'
    recordFailure(shopper, { failure, mode, shopper: shown, developer, when })
  }
}

/** Every notice in these windows that has a way on. A window on another origin shows none of ours. */
async function offered(places: readonly Tab[]): Promise<Notice[]> {
  const notices: Notice[] = []
  // One after the other: WebKit's driver looks into one window at a time.
  for (const { page } of places) notices.push(...(await noticesOn(page).catch(() => [])))
  return notices.filter(({ ways }) => ways.some((way) => waysOn.test(way)))
}
