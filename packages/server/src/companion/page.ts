/** The companion's own pages: one small card, in light, dark and forced colours, that needs no permission in the merchant's policies. */
import { randomBytes } from 'node:crypto'
import { windowHeaders } from './answer.ts'

/** The input of a page's script, besides what it reads itself. */
export interface ScriptData {
  purchaseId: string
  /** Origins of the pages to notify. */
  hosts: readonly string[]
}

interface Page {
  status: number
  /** BCP 47; empty if it is unknown. */
  lang: string
  dir: 'ltr' | 'rtl' | 'auto'
  title: string
  /** Markup. */
  head?: string
  body: string
  script?: { code: string; data: ScriptData } | undefined
  /** Origins that may frame it. */
  hosts: readonly string[]
}

export function pageAnswer({ status, lang, dir, title, head = '', body, script, hosts }: Page): Response {
  const nonce = randomBytes(16).toString('base64url')
  const text = `<!doctype html>
<html lang="${escapeHtml(lang)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
${script ? scriptTags(script, nonce) : ''}
</body>
</html>
`
  return new Response(text, { status, headers: headersOf(nonce, hosts) })
}

function scriptTags({ code, data }: NonNullable<Page['script']>, nonce: string): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="purchase">${json}</script>
<script nonce="${nonce}">${code}</script>`
}

/** A page's script. It has `data`, the page's `host`, and `tell`, which notifies the host by exact origin, and the channel of the purchase. */
export const scriptOf = (code: string): string => `
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('purchase').textContent);
  const source = 'purchase-widget';
  const isTop = window.parent === window;
  const host = isTop ? window.opener : window.parent;
  let channel;
  try {
    channel = new BroadcastChannel(source + ':' + data.purchaseId);
  } catch {}
  const tell = (fields) => {
    const message = { source, purchaseId: data.purchaseId, ...fields };
    if (channel) channel.postMessage(message);
    for (const origin of host ? data.hosts : []) {
      try {
        host.postMessage(message, origin);
      } catch {}
    }
  };
${code}})();
`

function headersOf(nonce: string, hosts: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `frame-ancestors ${hosts.join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return {
    ...windowHeaders,
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  }
}

/** A link that shows the host that it leads to. Empty without an address. */
export function linkTo(address: string | undefined): string {
  if (address === undefined) return ''
  return `<a href="${escapeHtml(address)}" rel="noreferrer" target="_top">${escapeHtml(hostOf(address))}</a>`
}

/** An ellipsis for an address without a host, and without an address. */
export const hostOf = (address = ''): string => URL.parse(address)?.host || '…'

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const style = `
:root{color-scheme:light dark;--ink:#1d2129;--soft:#6b7280;--paper:#f6f7f9;--card:#fff;--line:#e3e6eb}
@media(prefers-color-scheme:dark){:root{--ink:#f2f4f8;--soft:#9aa3b2;--paper:#111419;--card:#1a1e25;--line:#2b313b}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:500 1rem/1.4 system-ui,sans-serif}
main{display:grid;justify-items:center;gap:1.25rem;width:min(20rem,100%);padding:2rem 1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);text-align:center}
h1{font:inherit}
p{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}
.ring{width:2.25rem;height:2.25rem;border-radius:50%;border:3px solid var(--line);border-top-color:var(--ink);animation:turn 1s linear infinite}
.still .ring{display:none}
@keyframes turn{to{rotate:1turn}}
@media(prefers-reduced-motion:reduce){.ring{animation:none}}
a,button{display:inline-block;font:inherit;background:none;cursor:pointer;max-width:100%;min-height:2.75rem;padding:.625rem 1.25rem;border:1px solid var(--line);border-radius:.625rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
a:not(.main)::after{content:" \\2192"}
[dir=rtl] a:not(.main)::after{content:" \\2190"}
[hidden]{display:none}
.main{background:var(--ink);border-color:var(--ink);color:var(--card)}
a:hover,button:hover{border-color:var(--soft)}
a:focus-visible,button:focus-visible{outline:3px solid Highlight;outline-offset:2px}
@media(forced-colors:active){main,a,button{border-color:CanvasText}.main{background:ButtonFace;color:ButtonText}.ring{border-color:GrayText;border-top-color:CanvasText}}
`
