/** Mistakes that refuse nobody, and so would be seen by a shopper first. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { type Cause, causeOf } from '../mistakes/table.ts'
import type { CompanionOptions } from './options.ts'

/** Of the options and the environment, before anybody buys. */
export function setupCauses(
  { onOrder, createPurchase }: Pick<CompanionOptions, 'onOrder' | 'createPurchase'>,
  { widgetUrl }: Pick<PurchaseClient, 'widgetUrl'>,
): Cause[] {
  return [
    ...(onOrder ? [] : [causeOf('on_order_missing', {})]),
    ...(createPurchase ? [] : [causeOf('create_purchase_missing', {})]),
    ...(widgetUrl.endsWith('/widget')
      ? [causeOf('widget_url_path', { url: widgetUrl, expected: widgetUrl.slice(0, -'/widget'.length) })]
      : []),
  ]
}

const PAGE_MS = 3_000

/** Whether there is a page where shoppers are sent: a browser does not tell its own page. Never rejects. */
export async function widgetPageCause({
  widgetUrl,
}: Pick<PurchaseClient, 'widgetUrl'>): Promise<Cause | null> {
  const url = `${widgetUrl}/widget/`
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PAGE_MS) })
    await body?.cancel()
    return status === 404 || status === 410
      ? causeOf('widget_page', { url, answer: `answers ${status}` })
      : null
  } catch {
    return causeOf('widget_page', { url, answer: 'cannot be reached' })
  }
}
