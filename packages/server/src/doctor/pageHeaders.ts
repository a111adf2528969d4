/** Checks the widget page: whether it answers, what its headers allow, and what the merchant's page must allow in turn. */
import { startDeadline } from '../deadline.ts'
import { buildWidgetUrl } from '../purchase/carrier.ts'
import { ask, type Checkup, failed, isAnswered, note, ok, type Subject } from './checkup.ts'

export interface PageHeaders {
  'Content-Security-Policy': string
  'Permissions-Policy': string
}

/** Features that identity checks and wallets in the widget may request; the loader's frame allows the same. */
const features = [
  'payment',
  'camera',
  'microphone',
  'clipboard-write',
  'publickey-credentials-get',
  'publickey-credentials-create',
]

/**
 * The headers for a page that shows the widget in a frame. `'self'`, and the companion's origin if it is another: with `redirect_page`
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

/** How long the widget page may take: it is read with the token that was created. */
const PAGE_MS = 3_000

export async function checkPage(widgetUrl: string, token: string | null): Promise<Checkup[]> {
  const bare = `${widgetUrl}/widget/`
  const subject: Subject = {
    name: 'widget page',
    setting: 'PURCHASE_WIDGET_URL',
    address: bare,
    remedy: 'Set PURCHASE_WIDGET_URL to the address of the widget page, without /widget/.',
  }
  const address = token === null ? bare : buildWidgetUrl(widgetUrl, token, {})
  const deadline = startDeadline(PAGE_MS)
  const page = await ask(deadline, subject, address).finally(deadline.stop)
  if (!isAnswered(page)) return [page]
  const { status, headers } = page
  if (status < 200 || status >= 300) return [failed(subject, status, `answers ${status}`)]
  return [ok(subject, `answers ${status}`), readFraming(bare, status, headers), readOpener(headers)]
}

/** What a page's policy says about frames; undefined without a word on them. A comma separates it from the next policy. */
export const frameAncestorsOf = (headers: Headers): string | undefined =>
  /frame-ancestors([^;,]*)/i.exec(headers.get('content-security-policy') ?? '')?.[1]?.trim()

/** Without its parameters, such as `report-to`. */
export const openerPolicyOf = (headers: Headers): string =>
  /^[\w-]+/.exec(headers.get('cross-origin-opener-policy') ?? '')?.[0] ?? 'unsafe-none'

/** Reads the headers as a browser would. */
function readFraming(address: string, status: number, headers: Headers): Checkup {
  const subject = {
    ...{ name: 'framing', setting: 'mode', address },
    remedy: 'use the modes popup or redirect, or ask the service to allow frames on your pages',
  }
  const refused = (header: string): Checkup => failed(subject, status, `refused by ${header}`)
  const ancestors = frameAncestorsOf(headers)
  // A browser that supports frame-ancestors ignores X-Frame-Options.
  if (ancestors !== undefined) {
    if (/^('none'|'self'|)$/.test(ancestors)) return refused(`frame-ancestors ${ancestors}`)
    if (/(^|\s)(\*|https:)(\s|$)/.test(ancestors)) return ok(subject, 'allowed on any page')
    return note(subject, `allowed on these pages only: ${ancestors}`)
  }
  // Browsers ignore any other value, such as ALLOWALL and ALLOW-FROM.
  const option = headers.get('x-frame-options') ?? ''
  return /deny|sameorigin/i.test(option)
    ? refused(`X-Frame-Options: ${option}`)
    : ok(subject, 'allowed on any page')
}

function readOpener(headers: Headers): Checkup {
  const policy = openerPolicyOf(headers)
  return policy === 'unsafe-none'
    ? ok({ name: 'popup' }, 'can be observed')
    : note({ name: 'popup' }, `cannot be observed (COOP ${policy}): the loader asks your server instead`)
}
