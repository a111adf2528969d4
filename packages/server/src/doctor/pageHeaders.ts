/** What the widget page's headers allow, and what the merchant's page must allow in turn. */

import type { Checkup } from './visit.ts'

export interface PageHeaders {
  'Content-Security-Policy': string
  'Permissions-Policy': string
}

/** Features that identity checks and wallets in the widget may ask for; the loader's frame grants the same. */
const features = [
  'payment',
  'camera',
  'microphone',
  'clipboard-write',
  'publickey-credentials-get',
  'publickey-credentials-create',
]

/**
 * The lines that a page with the widget in a frame needs. `'self'`, or the companion's origin when that is another: with `redirect_page`
 * self the return page replaces the widget in its frame.
 */
export function pageNeeds(widgetUrl: string, companionUrl?: string): PageHeaders {
  const { origin } = new URL(widgetUrl)
  const companion = companionUrl === undefined ? '' : (URL.parse(companionUrl)?.origin ?? '')
  const own = ["'self'", companion].filter(Boolean).join(' ')
  return {
    'Content-Security-Policy': `frame-src ${own} ${origin}; connect-src ${own}`,
    'Permissions-Policy': features.map((feature) => `${feature}=(self "${origin}")`).join(', '),
  }
}

/** Reads the answer of the widget page as a browser would. */
export function readPageHeaders(status: number, headers: Headers): Checkup[] {
  const page: Checkup =
    status >= 200 && status < 300
      ? { name: 'widget page', result: 'ok', detail: `answers ${status}` }
      : { name: 'widget page', result: 'failed', detail: `answers ${status}` }
  return [page, readFraming(headers), readOpener(headers)]
}

function readFraming(headers: Headers): Checkup {
  const name = 'framing'
  const ancestors = /frame-ancestors([^;]*)/i.exec(headers.get('content-security-policy') ?? '')?.[1]?.trim()
  // A browser that knows frame-ancestors does not look at X-Frame-Options.
  if (ancestors !== undefined) {
    if (/^('none'|'self'|)$/.test(ancestors)) return refused(`frame-ancestors ${ancestors}`)
    if (/(^|\s)(\*|https:)(\s|$)/.test(ancestors))
      return { name, result: 'ok', detail: 'allowed on any page' }
    return { name, result: 'note', detail: `allowed on these pages only: ${ancestors}` }
  }
  const option = headers.get('x-frame-options')
  return option
    ? refused(`X-Frame-Options: ${option}`)
    : { name, result: 'ok', detail: 'allowed on any page' }
}

const refused = (header: string): Checkup => ({
  name: 'framing',
  result: 'failed',
  detail: `refused by ${header}: use the modes popup or redirect`,
})

function readOpener(headers: Headers): Checkup {
  const name = 'popup'
  const policy = headers.get('cross-origin-opener-policy') ?? 'unsafe-none'
  return policy === 'unsafe-none'
    ? { name, result: 'ok', detail: 'can be observed' }
    : {
        name,
        result: 'note',
        detail: `cannot be observed (COOP ${policy}): the loader asks your server instead`,
      }
}
