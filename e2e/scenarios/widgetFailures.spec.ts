// Promise: surface/widget-failures
// Promise: surface/no-dead-frame
/**
 * Failures of the widget itself: the service sends an error, a truncated response or none, refuses the connection, or the page's own
 * policy forbids frames. It is never `ready`, and the shopper always has a recovery action; where the browser reports a load, a quiet one.
 */
import type { RequestListener } from 'node:http'
import { full } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { holdRefusingPort, startWidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab } from './driver.ts'
import {
  developerErrors,
  inWords,
  type Notice,
  noticesOn,
  recordFailure,
  reportErrors,
  smallWindow,
} from './failureReport.ts'
import { type Mode, otherTab } from './widgetPage.ts'

interface Failure {
  /** Null when the service does not even listen. */
  answer: RequestListener | null
  headers?: Record<string, string>
  /** Run only for evidence, because a browser treats it like another failure. */
  inFull?: true
}

const failures: Record<string, Failure> = {
  'the widget answers 500': { answer: (_request, response) => void response.writeHead(500).end('Broken') },
  'the widget refuses the connection': { answer: null },
  'the widget never answers': { answer: () => {} },
  "the page's policy forbids the frame": {
    answer: workingWidget,
    headers: { 'content-security-policy': "frame-src 'self'" },
  },
  'the widget answers 204': {
    answer: (_request, response) => void response.writeHead(204).end(),
    inFull: true,
  },
  'the widget says X-Frame-Options: DENY': {
    answer(request, response) {
      response.setHeader('x-frame-options', 'DENY')
      workingWidget(request, response)
    },
    inFull: true,
  },
  'the widget gives half an answer': {
    answer(_request, response) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
      response.write('<!doctype html><title>Widget</title>', () => response.destroy())
    },
    inFull: true,
  },
}

const isWindow = (mode: Mode): boolean => mode === 'popup' || mode === 'redirect'

const loadTimeout = 2_000
const waysOn = /^(Try again|Open in a new window|Having trouble\?|Cancel|Show window)$/

test.use({ shopperOptions: smallWindow })

const modes: readonly Mode[] = full ? ['iframe', 'modal', 'popup', 'redirect'] : ['iframe', 'popup']
for (const [name, { answer, headers = {}, inFull }] of Object.entries(failures)) {
  if (inFull && !full) continue
  const isPolicy = name.includes('policy')
  const isOfFrames = isPolicy || name.includes('X-Frame-Options')
  for (const mode of modes) {
    if (isOfFrames && isWindow(mode)) continue
    test(`${mode}: when ${name}, the shopper can continue`, {
      // Engines differ in how they handle a refused connection, and a policy.
      tag: mode === 'iframe' && (isPolicy || !answer) ? [] : oneEngine,
    }, async ({ shopper, merchant }) => {
      const widget = await (answer ? startWidgetHost(answer) : holdRefusingPort())
      try {
        merchant.page('/', hostPage({ options: optionsFor(widget.url, mode), before: reportErrors, headers }))
        await expectWayOn(shopper, merchant, name, mode)
        expect(merchant.reports()).not.toContain('ready')
      } finally {
        await widget.close()
      }
    })
  }
}

test('a working widget is ready, and nothing covers the shopper’s input', async ({ shopper, merchant }) => {
  const widget = await startWidgetHost(workingWidget)
  try {
    // The page's own clock runs out after the loader's, however slow the machine is.
    const later = `addEventListener('click', () => setTimeout(() => note('loadTimeout is over'), ${2 * loadTimeout}))`
    merchant.page('/', hostPage({ options: optionsFor(widget.url, 'iframe'), before: later }))
    const { page } = await shopper.visit(merchant.url)
    await page.click({ button: 'Buy' })
    await expect.poll(() => merchant.reports()).toContain('ready')
    await expect.poll(() => merchant.reports()).toContain('loadTimeout is over')
    expect(await page.text({ button: 'Open in a new window' })).toBeNull()
  } finally {
    await widget.close()
  }
})

const optionsFor = (widgetUrl: string, mode: Mode): string => `{
  widgetUrl: '${widgetUrl}', accessToken: 'token', mode: '${mode}', redirectPage: 'new', loadTimeout: ${loadTimeout},
  ${mode === 'iframe' ? `container: '#slot',` : ''} interpretMessage: (data) => data?.type === 'ready' ? { type: 'ready' } : null,
}`

async function expectWayOn(shopper: Shopper, merchant: Merchant, failure: string, mode: Mode): Promise<void> {
  // A driver cannot read a window that waits for a response, and WebKit does not report a refused connection: in these cases the test
  // reads the page behind it.
  const isSilent = shopper.engine === 'webkit' && mode === 'popup' && failure.includes('refuses')
  const waits = isSilent || (isWindow(mode) && failure.includes('never'))
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'Buy' })
  const places = isWindow(mode) && !waits ? [await otherTab(shopper, host), host] : [host]
  // The widget has failed or loaded.
  const settled = (): boolean =>
    waits || merchant.reports().some((entry) => /^(error|state loaded)/.test(entry))
  await expect.poll(settled, 'failed or loaded').toBe(true)
  await expect.poll(async () => (await offered(places)).length, 'ways on').toBeGreaterThan(0)
  return record((await offered(places)).map(inWords).join(', beside it '))

  function record(shown: string): void {
    const [developer] = developerErrors(merchant)
    const when = developer?.startsWith('load_timeout') ? 'after `loadTimeout`' : 'at once'
    recordFailure(shopper, { failure, mode, shopper: shown, developer, when })
  }
}

/** Every notice with a recovery action in these windows. A window on another origin shows none of ours. */
async function offered(places: readonly Tab[]): Promise<Notice[]> {
  const notices: Notice[] = []
  // Sequential, because WebKit's driver can read only one window at a time.
  for (const { page } of places) notices.push(...(await noticesOn(page).catch(() => [])))
  return notices.filter(({ ways }) => ways.some((way) => waysOn.test(way)))
}
