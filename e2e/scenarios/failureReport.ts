/** What shopper and developer see when something fails: read from the page, and recorded as a figure. */
import { recordFigure } from '../../scripts/proof.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Shopper, View } from './driver.ts'
import type { Mode } from './widgetPage.ts'

/** The loader's message in one place, and its recovery actions. */
export interface Notice {
  sentence: string
  ways: string[]
}

/** Every notice of the loader in a document. */
export const noticesOn = (view: View): Promise<Notice[]> =>
  view.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document]
    const found: Notice[] = []
    for (const root of roots)
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) roots.push(element.shadowRoot)
        if (!element.part.contains('notice')) continue
        const line = element.querySelector('p')
        // A live region gets its text shortly after its insertion.
        if (line && !line.textContent) continue
        const ways = [...element.querySelectorAll('button')].map(
          ({ ariaLabel, textContent }) => ariaLabel ?? textContent ?? '',
        )
        found.push({ sentence: line?.textContent ?? '', ways })
      }
    return found
  })

/** The notice with this recovery action; null while there is none, or while the document is unloading. */
export async function noticeWith(view: View, way: string): Promise<Notice | null> {
  const notices = await noticesOn(view).catch(() => [])
  return notices.find(({ ways }) => ways.includes(way)) ?? null
}

/** For `hostPage`: reports the developer's errors to the merchant's server. */
export const reportErrors = `
  addEventListener('load', () => widget.on('error', ({ code, message }) => note('developer: ' + code + ': ' + message)))`

/** The developer's errors, oldest first: \`code: message\`. */
export const developerErrors = (merchant: Merchant): string[] =>
  merchant
    .reports()
    .filter((entry) => entry.startsWith('developer: '))
    .map((entry) => entry.slice('developer: '.length))

/** As high as a frame: WebKit's driver can click only inside the window. */
export const smallWindow = { viewport: { width: 640, height: 760 } }

interface Seen {
  failure: string
  mode: Mode
  /** The shopper's message and recovery actions. */
  shopper: string
  /** The developer's first error. */
  developer?: string | undefined
  /** When it shows: immediately, or after an event. */
  when: string
}

/** Formats a notice in one line. */
export const inWords = ({ sentence, ways }: Notice): string =>
  [sentence && `“${sentence}”`, ...ways.map((way) => `[${way}]`)].filter(Boolean).join(' ')

/** Records how one failure appears in one mode. */
export function recordFailure({ engine }: Shopper, { failure, mode, shopper, developer, when }: Seen): void {
  recordFigure(
    `failure: ${failure}, ${mode}, ${engine}`,
    `${when}: ${shopper}${developer ? `; the developer reads ${developer}` : ''}`,
  )
}
