/** What shopper and developer get when something fails: read from the page, recorded for the table and the pictures of docs/failures.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordFigure } from '../../scripts/proof.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Shopper, Tab, View } from './driver.ts'
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
        const ways = [...element.querySelectorAll('button')].map(({ textContent }) => `${textContent}`)
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

/** Small, so that the pictures can be read at their own size; as high as a frame, since WebKit's driver clicks only what is in the window. */
export const pictured = { viewport: { width: 640, height: 760 } }

interface Seen {
  /** One of the rows of the table. */
  failure: string
  mode: Mode
  /** What the shopper reads, and can do. */
  shopper: string
  /** What the developer is told, in the first place. */
  developer?: string | undefined
  /** When that shows: at once, or after something. */
  when: string
}

/** A notice as the table shows it. */
export const inWords = ({ sentence, ways }: Notice): string =>
  [sentence && `“${sentence}”`, ...ways.map((way) => `[${way}]`)].filter(Boolean).join(' ')

/** Keeps one cell of the table, and in Chromium a picture. */
export async function recordFailure(
  { engine }: Shopper,
  tab: Tab,
  { failure, mode, shopper, developer, when }: Seen,
): Promise<void> {
  const cell = { shopper, developer: developer ?? '', when }
  recordFigure(`failure: ${failure}, ${mode}, ${engine}`, JSON.stringify(cell))
  const picture = engine === 'chromium' ? await tab.screenshot() : null
  if (!picture) return
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'failures')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${failure}, ${mode}.png`), picture)
}
