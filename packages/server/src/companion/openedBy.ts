/** Whether the shopper opened a link, or a page of another site by itself. */
import type { OpenedBy } from '../purchase/purchase.ts'

/**
 * Browsers say with `Sec-Fetch-User` that a click or a key began a navigation. Mail programs, typed addresses and the shop's own pages are not
 * `cross-site`, and webviews that send no fetch metadata open what a person chose.
 */
export const openedBy = ({ headers }: Request): OpenedBy =>
  headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-user') !== '?1'
    ? 'other_site'
    : 'shopper'
