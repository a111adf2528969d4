/** What stays behind when the widget, or the return page, takes the place of a page. */
import { KEY, type Purchase } from '../confirm.ts'

/** Keeps a purchase where the return page will look for it. Never a token. */
export function keep(
  purchase: Purchase,
  view: Window | null,
  storage: 'sessionStorage' | 'localStorage' = 'sessionStorage',
): void {
  try {
    view?.[storage].setItem(KEY, JSON.stringify(purchase))
  } catch {
    // Storage may be forbidden, or the window on another origin by now: the return page then knows less.
  }
}

export function forget(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {}
}
