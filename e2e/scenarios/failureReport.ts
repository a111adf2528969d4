/** What shopper and developer get when something fails: read from the page, and recorded as a figure. */
import { recordFigure } from '../../scripts/proof.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Shopper, View } from './driver.ts'
import type { Mode } from './widgetPage.ts'

/** What the loader says at one place, and the ways on that it offers. */
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
        // A live region gets its text a moment after it has come.
        if (line && !line.textContent) continue
        const ways = [...element.querySelectorAll('button')].map(
          ({ ariaLabel, textContent }) => ariaLabel ?? textContent ?? '',
        )
        found.push({ sentence: line?.textContent ?? '', ways })
      }
    return found
  })

/** The notice of a document that has this way on; null while there is none, or the document is just going. */
export async function noticeWith(view: View, way: string): Promise<Notice | null> {
  const notices = await noticesOn(view).catch(() => [])
  return notices.find(({ ways }) => ways.includes(way)) ?? null
}

/** For `hostPage`: what the developer is told goes to the merchant's server. */
export const tellDeveloper = `
  addEventListener('load', () => widget.on('error', ({ code, message }) => note('developer: ' + code + ': ' + message)))`

/** What the developer was told, oldest first: \`code: message\`. */
export const toldTo = (merchant: Merchant): string[] =>
  merchant
    .reports()
    .filter((entry) => entry.startsWith('developer: '))
    .map((entry) => entry.slice('developer: '.length))

/** As high as a frame: WebKit's driver clicks only what is in the window. */
export const smallWindow = { viewport: { width: 640, height: 760 } }

interface Seen {
  failure: string
  mode: Mode
  /** What the shopper reads, and can do. */
  shopper: string
  /** What the developer is told, in the first place. */
  developer?: string | undefined
  /** When that shows: at once, or after something. */
  when: string
}

/** A notice in one line. */
export const inWords = ({ sentence, ways }: Notice): string =>
  [sentence && `“${sentence}”`, ...ways.map((way) => `[${way}]`)].filter(Boolean).join(' ')

/** Keeps what one failure shows in one mode. */
export function recordFailure({ engine }: Shopper, { failure, mode, shopper, developer, when }: Seen): void {
  recordFigure(
    `failure: ${failure}, ${mode}, ${engine}`,
    `${when}: ${shopper}${developer ? `; the developer reads ${developer}` : ''}`,
  )
}
