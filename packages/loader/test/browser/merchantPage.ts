/** Whole pages of a merchant, in frames, with the script tag's first file and a second one that may fail. */
import { expect, onTestFinished } from 'vitest'

export const link = '<a href="/script/scriptTag?followed" data-purchase-widget>Buy</a>'

export const popupLink = link.replace('<a', '<a data-mode="popup"')

/** Adds a page in a frame; `link` is its first link. */
export async function addPage(html: string): Promise<{ view: Window; link: HTMLAnchorElement }> {
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  frame.srcdoc = `<!doctype html>${html}`
  const find = (): HTMLAnchorElement | null | undefined => frame.contentDocument?.querySelector('a')
  await expect.poll(find).toBeTruthy()
  // The first link may be parsed before the rest of the page.
  await expect.poll(() => frame.contentDocument?.readyState).not.toBe('loading')
  return { view: frame.contentWindow as Window, link: find() as HTMLAnchorElement }
}

export const isFollowed = (view: Window): boolean => view.location.href.endsWith('?followed')

/** A script tag whose second file is in `folder`. */
export const scriptIn = (folder: string): string => `<script src="/script/${folder}/scriptTag"></script>`

/** The same with a second file that never arrives, in a page where three seconds take 0.3. */
export const scriptThatWaits = `<script>{
  const { setTimeout } = window
  window.setTimeout = (act, milliseconds) => setTimeout(act, milliseconds / 10)
}</script>${scriptIn('hang')}`

/** Records the windows that a page opens; `change` returns what the page sees of each. */
export function windowsOf(view: Window, change = (opened: Window): Window => opened): Window[] {
  const opened: Window[] = []
  const { open } = view
  view.open = (...options) => {
    const popup = open.call(view, ...options)
    if (popup) opened.push(popup)
    return popup && change(popup)
  }
  onTestFinished(() => opened.forEach((popup) => void popup.close()))
  return opened
}

/** Keeps the second file from the page until `release`; three seconds take 0.3. */
export const holdsBack = `<script>
  var held = []
  document.head.append = (script) => void held.push(script)
  const { setTimeout } = window
  window.setTimeout = (act, milliseconds) => setTimeout(act, milliseconds === 3000 ? 300 : milliseconds)
</script>`

/** Loads the second file now. */
export async function release(view: Window): Promise<void> {
  const page = view as unknown as { held: Element[]; PurchaseWidget: { ready(callback: () => void): void } }
  view.document.body.append(...page.held)
  await new Promise((resolve) => page.PurchaseWidget.ready(() => resolve(null)))
}

/** Records the page's results. */
export const hearsResults = `<script>var results = []
  addEventListener('purchase-widget-result', ({ detail }) => results.push(detail))</script>`

export const resultsOf = (view: Window): unknown[] => (view as unknown as { results: unknown[] }).results
