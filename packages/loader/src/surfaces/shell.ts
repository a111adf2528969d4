/**
 * What the loader draws. It lives in a shadow root with a constructed style sheet: the page's styles don't reach it, it needs no
 * inline style and no HTML, and it goes without a trace. Colours are the system's, so they follow the theme.
 */
import type { Settings } from '../options.ts'

const css =
  ':host,dialog[open]{display:grid;grid-template-rows:auto 1fr}' +
  ':host{height:100%;color-scheme:light dark;font:1rem/1.5 system-ui}' +
  'p,h1{margin:auto;font:inherit}' +
  'h1{position:fixed;inset:0;display:grid;place-content:center;background:Canvas;color:CanvasText}' +
  'p,iframe{grid-area:2/1}' +
  'iframe{width:100%;height:100%;min-height:40rem;border:0}' +
  'p~iframe{visibility:hidden}' +
  'dialog{width:30rem;height:46rem;max-width:100%;max-height:100%;padding:env(safe-area-inset-top) 0 env(safe-area-inset-bottom);border:0;border-radius:1rem;overflow:hidden}' +
  'dialog iframe{min-height:0}' +
  '::backdrop{background:#0008}' +
  'div{position:fixed;inset:auto 0 0;z-index:99999;display:flex;flex-wrap:wrap;gap:.5rem;padding:1rem 1rem max(1rem,env(safe-area-inset-bottom));background:Canvas;color:CanvasText;box-shadow:0 0 1rem #0006}' +
  'button{min-width:2.75rem;min-height:2.75rem;padding:0 1rem;border:1px solid;border-radius:.5rem;background:0 0;color:inherit;font:inherit}' +
  'div p{margin:auto 0;flex:1 1 calc(999*(30rem - 100%))}' +
  'dialog div{position:static}' +
  'dialog>button{justify-self:end;border:0}'

/** Makes an element, sets its properties, and appends it. */
export const add = <Tag extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Tag,
  props?: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] =>
  parent.appendChild(Object.assign((parent.ownerDocument as Document).createElement(tag), props))

/** An isolated root in a host element of its own, in the page or in the popup's waiting page. */
export function createShell(parent: Element, { locale, theme }: Settings): ShadowRoot {
  const { ownerDocument: page } = parent
  const host = page.createElement('div')
  if (locale) {
    host.lang = locale
    host.dir = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(locale) ? 'rtl' : 'ltr'
  }
  if (theme !== 'system') host.style.colorScheme = theme
  const root = host.attachShadow({ mode: 'open' })
  // A constructed sheet belongs to one document; the waiting page has its own.
  const sheet = new (page.defaultView as typeof globalThis & Window).CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  // Last, so that nothing stays in a page where one of these fails.
  parent.append(host)
  return root
}

/** A line of text with buttons, at the bottom of the window. */
export function addBar(
  root: Node,
  text: string,
  ...buttons: readonly (readonly [label: string, onclick: () => void])[]
): HTMLElement {
  const bar = add(root, 'div', { role: 'status' })
  add(bar, 'p', { textContent: text })
  for (const [textContent, onclick] of buttons) add(bar, 'button', { textContent, onclick })
  return bar
}
