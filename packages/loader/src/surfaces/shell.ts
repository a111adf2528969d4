/**
 * What the loader draws. It lives in a shadow root with a constructed style sheet: the page's styles don't reach it, it needs no
 * inline style and no HTML, and it goes without a trace.
 */
import type { Settings } from '../options.ts'

const css = `:host{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;display:block;height:100%;position:relative}
:host([hidden]){display:none}
:host([data-bar]){position:fixed;inset:auto 0 0;height:auto;z-index:2147483647}
*{box-sizing:border-box;font:inherit}
iframe{display:block;border:0;width:100%;height:100%;min-height:40rem;position:relative}
.wait iframe,.wait~iframe{visibility:hidden}
p{margin:0;flex:1}
.wait{position:absolute;inset:0;display:grid;place-content:center}
button{min-height:2.75rem;padding:0 1rem;border:1px solid;border-radius:.5rem;background:none;color:inherit;cursor:pointer}
dialog{width:30rem;height:46rem;max-width:100%;max-height:100%;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);border:0;border-radius:1rem;background:Canvas;color:CanvasText;overflow:hidden;box-shadow:0 1rem 4rem #0006}
dialog[open]{display:flex;flex-direction:column}
dialog iframe{flex:1;min-height:0}
dialog>button{align-self:end;border:0;font-size:1.5rem}
::backdrop{background:#0009}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;padding:.75rem 1rem max(.75rem,env(safe-area-inset-bottom));background:Canvas;color:CanvasText;box-shadow:0 0 1rem #0003;position:relative}
@media(max-width:31rem){dialog{width:100%;height:100%;border-radius:0}}
@media(prefers-reduced-motion:no-preference){dialog{animation:a .2s}@keyframes a{from{opacity:0;translate:0 1rem}}}`

/** Makes an element, sets its properties, and appends it. */
export function add<Tag extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Tag,
  props: Partial<HTMLElementTagNameMap[Tag]> & Record<string, unknown> = {},
): HTMLElementTagNameMap[Tag] {
  const document = parent.ownerDocument as Document
  return parent.appendChild(Object.assign(document.createElement(tag), props))
}

/** A host element with an isolated root, in the page or in the popup's waiting page. */
export function createShell(parent: Element, { locale, theme = 'system' }: Settings): ShadowRoot {
  const host = add(parent, 'div')
  if (locale) {
    host.lang = locale
    host.dir = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(locale) ? 'rtl' : 'ltr'
  }
  if (theme !== 'system') host.style.colorScheme = theme
  const root = host.attachShadow({ mode: 'open' })
  // A constructed sheet belongs to one document; the waiting page has its own.
  const sheet = new (host.ownerDocument.defaultView as Window & typeof globalThis).CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  return root
}

/** A line of text with buttons. Gives back its undo. */
export function addBar(
  parent: Node,
  text: string,
  buttons: readonly (readonly [label: string, onclick: () => void])[],
): () => void {
  const bar = add(parent, 'div', { className: 'bar', role: 'status' })
  add(bar, 'p', { textContent: text })
  for (const [textContent, onclick] of buttons) add(bar, 'button', { textContent, onclick, type: 'button' })
  return () => bar.remove()
}
