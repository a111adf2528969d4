/** What the first stage itself shows to the shopper: a line at the bottom of the page, before the second stage can draw the loader's notices. */
import { pageOf } from './names.ts'
import type { WidgetStrings } from './types.ts'

/** English for the first stage, which does not load english.ts. An object, because the build would inline separate constants at every use. */
export const firstTexts: Pick<WidgetStrings, 'connecting' | 'failed' | 'notCharged'> = {
  connecting: 'Still connecting...',
  failed: 'The purchase could not be started.',
  notCharged: 'You have not been charged.',
}

/** How long a notice stays if nothing removes it. */
const NOTICE_MS = 10_000

/** Returns a function that removes the line. */
export function showNotice(text: string): () => void {
  const page = pageOf()
  const line = page.createElement('p')
  line.role = 'alert'
  line.textContent = text
  line.style.cssText =
    'position:fixed;inset:auto 0 0;z-index:99999;margin:0;padding:1rem;background:Canvas;color:CanvasText;outline:1px solid'
  page.body.append(line)
  return () => line.remove()
}

/** @param isSafe No purchase of this tab can be under way. */
export function showNotStarted(strings: Partial<WidgetStrings> | undefined, isSafe: boolean): void {
  const safe = isSafe ? ` ${strings?.notCharged ?? firstTexts.notCharged}` : ''
  setTimeout(showNotice((strings?.failed ?? firstTexts.failed) + safe), NOTICE_MS)
}
