/** The return page: tells the page that shows the widget, and goes on to the merchant's. */

import type { Spoken } from '../language.ts'
import type { Outcome } from '../purchase/returnAddress.ts'
import { escapeHtml, hostOf, linkTo, pageAnswer } from './page.ts'
import { returnScript } from './returnScript.ts'

/** What the script is given. */
export interface ReturnData {
  purchaseId: string
  outcome: Outcome
  /** Origins that a page may have which is told. */
  hosts: readonly string[]
  /** Where the shopper goes on to. */
  returnUrl: string | null
  /** Nobody waits beside this tab: go on without waiting for an answer. */
  atOnce: boolean
}

/**
 * @param address of this page, as the service is given it, for the doctor: null when the companion does not know its own.
 */
export function returnPage(data: ReturnData, { lang, dir, words }: Spoken, address: string | null): Response {
  const { returnUrl, hosts } = data
  const target = returnUrl ?? hosts[0]
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return pageAnswer({
    status: 200,
    lang,
    dir,
    title: (target && hostOf(target)) || '…',
    head: [
      address === null ? '' : `<link rel="canonical" href="${escapeHtml(address)}">`,
      returnUrl
        ? `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(returnUrl)}"></noscript>`
        : '',
    ].join(''),
    hosts,
    body: (nonce) => `<main>
<span class="ring" aria-hidden="true"></span>
<h1>${escapeHtml(words.returning)}</h1>
${linkTo(target)}
</main>
<script type="application/json" id="purchase">${json}</script>
<script nonce="${nonce}">${returnScript}</script>`,
  })
}
