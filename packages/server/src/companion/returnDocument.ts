/** The return page: tells the page that shows the widget, and goes on to the merchant's. Without language, so that it fits every shop. */
import type { Outcome } from '../purchase/returnAddress.ts'
import { returnScript } from './returnScript.ts'

export interface ReturnPage {
  nonce: string
  purchaseId: string
  outcome: Outcome
  /** Origins that a page may have which is told. */
  hosts: readonly string[]
  /** Where the shopper goes on to. */
  returnUrl: string | null
  /** Nobody waits beside this tab: go on without waiting for an answer. */
  atOnce: boolean
}

/** What the script is given. */
export type ReturnData = Omit<ReturnPage, 'nonce'>

export function returnDocument({ nonce, ...data }: ReturnPage): string {
  const { returnUrl, hosts } = data
  const target = returnUrl ?? hosts[0]
  const name = target === undefined ? '' : (URL.parse(target)?.host ?? '')
  const refresh = returnUrl
    ? `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(returnUrl)}"></noscript>`
    : ''
  const link =
    target === undefined
      ? ''
      : `<a href="${escapeHtml(target)}" rel="noreferrer">${escapeHtml(name || '→')}</a>`
  return `<!doctype html>
<html lang="zxx">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name) || '…'}</title>
${refresh}
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<span class="ring" aria-hidden="true"></span>
${link}
</main>
<script type="application/json" id="purchase">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">${returnScript}</script>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? '')

const style = `
:root{color-scheme:light dark;--ink:#1d2129;--soft:#6b7280;--paper:#f6f7f9;--card:#fff;--line:#e3e6eb}
@media(prefers-color-scheme:dark){:root{--ink:#f2f4f8;--soft:#9aa3b2;--paper:#111419;--card:#1a1e25;--line:#2b313b}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:500 1rem/1.4 system-ui,sans-serif}
main{display:grid;justify-items:center;gap:1.25rem;width:min(20rem,100%);padding:2rem 1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);text-align:center}
.ring{width:2.25rem;height:2.25rem;border-radius:50%;border:3px solid var(--line);border-top-color:var(--ink);animation:turn 1s linear infinite}
.still .ring{display:none}
@keyframes turn{to{rotate:1turn}}
@media(prefers-reduced-motion:reduce){.ring{animation:none}}
a{display:inline-block;max-width:100%;min-height:2.75rem;padding:.625rem 1.25rem;border:1px solid var(--line);border-radius:.625rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
a::after{content:" \\2192"}
a:hover{border-color:var(--soft)}
a:focus-visible{outline:3px solid Highlight;outline-offset:2px}
@media(forced-colors:active){main,a{border-color:CanvasText}.ring{border-color:GrayText;border-top-color:CanvasText}}
`
