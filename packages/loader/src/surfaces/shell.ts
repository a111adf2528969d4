/**
 * What the loader draws. It lives in a shadow root with a constructed style sheet: the page's styles don't affect it, it needs no
 * inline style and no HTML, and it leaves no trace. It has the system's look, or the merchant's by `--purchase-widget-*` and `::part`.
 */
import { pageOf } from '../names.ts'
import type { Appearance, Settings } from '../settings.ts'
import type { Actions, SetNotice } from './surface.ts'

const css =
  // Frame, dialog and waiting page: the row above the widget, the widget or a sentence in its place, the row beside it.
  ':host,dialog[open],main{display:grid;grid-template:auto minmax(0,1fr)auto/minmax(0,1fr)}' +
  'iframe,.instead{grid-area:2/1}' +
  'iframe~.beside{grid-area:3/1}' +
  // A frame in the page reserves its space before it exists, so that the page does not move. Not by the element's own style: a copy of the page,
  // such as Turbo's, has that too, and would keep an empty space.
  ':host{min-height:40rem!important;height:100%;color-scheme:light dark;color:var(--purchase-widget-color,CanvasText);font:1rem/1.5 var(--purchase-widget-font,system-ui)}' +
  'iframe{width:100%;height:100%;border:0}' +
  '.instead~iframe{visibility:hidden}' +
  'p{margin:0}' +
  '.instead{display:grid;place-content:center;place-items:center;gap:1rem;padding:1rem;text-align:center}' +
  '.beside,header{display:flex;gap:.5rem;place-content:end}' +
  '.beside{flex-wrap:wrap;place-items:center}' +
  '.beside p{flex:12rem}' +
  // The waiting page of a window.
  'main{position:fixed;inset:0}' +
  'h1{margin:1rem;font:inherit;text-align:center}' +
  // A bar at the bottom of the page.
  'aside{padding:1rem 1rem max(1rem,env(safe-area-inset-bottom));border-top:1px solid #0000;box-shadow:0 0 1rem #0006}' +
  // The page's own dialog may have taken clicks from the whole body; a frame in the page is part of that body.
  'dialog{pointer-events:auto;box-sizing:border-box;width:30rem;height:46rem;max-width:100%;max-height:100%;padding:env(safe-area-inset-top) 0 env(safe-area-inset-bottom);border:1px solid #0000;border-radius:var(--purchase-widget-radius,1rem);color:inherit;overflow:hidden}' +
  // These have the focus only until the shopper moves on.
  ':host,dialog{outline:0}' +
  // Text has its own background in the frame's place too, where the page's may have the other colour scheme.
  'main,aside,dialog,.instead,.beside{background:var(--purchase-widget-background,Canvas)}' +
  // On a phone the dialog is a sheet, as wide as the screen.
  '@media(max-width:30rem){dialog{width:100%;max-width:none;height:calc(100dvh - 2rem);margin:auto 0 0;border-end-end-radius:0;border-end-start-radius:0}}' +
  '::backdrop{background:#0008}' +
  // The logo shrinks first, then the title; the close button stays where it is.
  'header{padding:.25rem}' +
  'header::before,h1::before{content:"";display:block;flex:0 1e5 8rem;height:2.75rem;background:var(--purchase-widget-logo)50%/contain no-repeat}' +
  'b{flex:1 1 6rem;place-self:center;line-height:1.2;text-align:center;overflow-wrap:break-word}' +
  // A menu overlays the widget, so that nothing moves.
  'header .menu{position:absolute;top:3.25rem;inset-inline-end:.5rem;flex-direction:column;place-items:stretch;border:1px solid #8886;border-radius:calc(var(--purchase-widget-radius,1rem)/2);box-shadow:0 0 1rem #0006}' +
  'header>button{flex:none}' +
  'button{align-self:start;min-width:2.75rem;min-height:2.75rem;padding:0 1rem;border:1px solid var(--purchase-widget-accent,currentColor);border-radius:calc(var(--purchase-widget-radius,1rem)/2);background:0 0;color:inherit;font:inherit;cursor:pointer}' +
  'header button,iframe~.beside button{border-color:#0000}' +
  // Of several ways on, the first is the main one.
  'p~button:first-of-type:not(:only-of-type){background:color-mix(in srgb,currentColor 15%,#0000);font-weight:600}' +
  'i{width:2rem;height:2rem;border:.2rem solid var(--purchase-widget-accent,currentColor);border-top-color:#0000;border-radius:50%;forced-color-adjust:none}' +
  'aside i{width:1rem;height:1rem}' +
  '@media(prefers-reduced-motion:no-preference){i{animation:turn 1s linear infinite}}' +
  '@keyframes turn{to{rotate:1turn}}'

/** Creates an element, sets its properties, and appends it. */
export const add = <Tag extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Tag,
  props?: Partial<HTMLElementTagNameMap[Tag]>,
  part?: string,
): HTMLElementTagNameMap[Tag] => {
  const page = pageOf(parent.ownerDocument as Document)
  const element = Object.assign(page.createElement(tag), props)
  if (part) element.part.add(part)
  return parent.appendChild(element)
}

const sheets = new WeakMap<Document, CSSStyleSheet>()

/** A constructed sheet belongs to one document, and serves everything drawn there: the waiting page has its own. */
function sheetOf(page: Document): CSSStyleSheet {
  const known = sheets.get(page)
  if (known) return known
  const sheet = new (pageOf(page).defaultView as typeof globalThis & Window).CSSStyleSheet()
  sheet.replaceSync(css)
  sheets.set(page, sheet)
  return sheet
}

const rightToLeft = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i

/** An isolated root in a host element of its own, in the page or in a window's waiting page. */
export function createShell(parent: Element, { lang, theme }: Pick<Settings, 'lang' | 'theme'>): ShadowRoot {
  const page = pageOf(parent.ownerDocument)
  const host = page.createElement('div')
  host.lang = lang
  // No box, which could move the page: what is drawn has a place of its own. Pages hide what looks empty: `div:empty { display: none }`.
  host.style.display = 'contents'
  host.dir = rightToLeft.test(lang) ? 'rtl' : 'ltr'
  if (theme !== 'system') host.style.colorScheme = theme
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(parent.ownerDocument)]
  // Last, so that nothing is left in a page if one of these fails.
  parent.append(host)
  return root
}

/** Shows one notice at a time: a sentence in the widget's `place`, if there is one; anything else in `aside`. */
export function createNotice(
  { strings }: Pick<Settings, 'strings'>,
  aside: ParentNode & Node,
  place?: ParentNode & Node,
): SetNotice {
  let shown: HTMLElement | undefined
  return (sentence, actions, busy) => {
    shown?.remove()
    if (!sentence && !actions) return
    const instead = sentence && place
    const offered = Object.entries(actions ?? {})
    const className = instead ? 'instead' : offered.length > 1 && !sentence ? 'beside menu' : 'beside'
    shown = add(instead || aside, 'div', { className, role: 'status' }, 'notice')
    // Before the frame, which is hidden while a notice replaces it.
    if (instead) instead.prepend(shown)
    if (busy) add(shown, 'i', {}, 'spinner')
    if (sentence) {
      const line = add(shown, 'p')
      // The region must exist before its text, or screen readers announce nothing.
      setTimeout(() => line.append(sentence))
    }
    for (const [label, onclick] of offered) {
      const text = strings[label as keyof Actions]
      const named =
        label === 'trouble' ? { textContent: '?', ariaLabel: text, title: text } : { textContent: text }
      add(shown, 'button', { ...named, onclick }, 'button')
    }
  }
}

/** Holds the bars of all widgets, one above the other; in the page only while there is one. */
let stack: HTMLElement | undefined
let place: Element | undefined
let changes: MutationObserver | undefined

function createStack(): HTMLElement {
  const made = pageOf().createElement('section')
  made.style.cssText = 'all:initial;position:fixed;inset:auto 0 0;z-index:99999;pointer-events:auto'
  changes = new MutationObserver(placeStack)
  return made
}

/**
 * Puts the bars where they can be pressed: a modal dialog of the page makes everything outside it inert. Otherwise not into the body, which the page
 * may replace.
 *
 * @param changed What has changed in the page; without it, a bar has.
 */
function placeStack(changed?: MutationRecord[]): void {
  const before = place
  place = undefined
  changes?.disconnect()
  if (!stack?.childElementCount) {
    stack?.remove()
    return
  }
  const page = pageOf()
  const { documentElement } = page
  // `:is` lets browsers that don't know `:modal` ignore it.
  place = [...page.querySelectorAll('dialog:is(:modal)')].at(-1) ?? documentElement
  // A dialog may be drawn again without them. A page that takes them out of its root is not contradicted, which it could answer for ever.
  const wasTaken = changed && place === documentElement && place === before
  if (stack.parentNode !== place && !wasTaken) place.append(stack)
  changes?.observe(documentElement, { subtree: true, childList: true, attributeFilter: ['open'] })
}

/**
 * A bar at the bottom of the page, for what concerns the shopper while the widget is elsewhere, or gone. It exists only while it has a
 * notice.
 */
export function createBar(appearance: () => Appearance): SetNotice {
  let root: ShadowRoot | undefined
  return (...notice) => {
    root?.host.remove()
    if (notice.length) {
      stack ??= createStack()
      root = createShell(stack, appearance())
      createNotice(appearance(), add(root, 'aside', {}, 'bar'))(...notice)
    }
    placeStack()
  }
}
