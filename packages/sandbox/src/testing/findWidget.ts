/** Finds the widget page in a browser: in a frame, a popup, a tab, or the page itself. */
import type { BrowserContext, Frame } from '@playwright/test'

const everyMs = 50

/**
 * The frame that shows the widget page, the newest when there are several. Waits for one.
 *
 * @param patience Milliseconds.
 * @throws Error naming the pages that are open instead.
 */
export async function findWidget(
  context: BrowserContext,
  widgetUrl: string,
  patience: number,
): Promise<Frame> {
  const until = Date.now() + patience
  for (;;) {
    const frames = context.pages().flatMap((page) => page.frames())
    const found = frames.findLast((frame) => frame.url().startsWith(`${widgetUrl}/widget/`))
    if (found) return found
    if (Date.now() > until) throw new Error(nothingFound(widgetUrl, frames))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Addresses without their queries, which may hold a token. */
function nothingFound(widgetUrl: string, frames: readonly Frame[]): string {
  const open = frames.map((frame) => frame.url().replace(/[?#].*/s, '')).join(', ')
  return `The widget page ${widgetUrl}/widget/ is not open. Open are: ${open || 'none'}.`
}
