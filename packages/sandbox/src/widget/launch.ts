/** The parameters with which the merchant opened this page. */
import { chooseTag, type Tag } from './language.ts'

export interface Launch {
  accessToken: string | null
  /** The order fields of section 2.2 of the interface, and all other parameters of the URL (U10). */
  params: Record<string, string>
  /** The language of the page. */
  tag: Tag
  shop: Shop
}

/** The merchant as shown on the page. The sandbox invented both parameters: docs/assumptions.md names them. */
export interface Shop {
  name: string
  /** URL of an image, http or https. */
  logo: string | null
}

/**
 * Parses the URL `/widget/?accessToken=…&product_id=…`.
 *
 * @param browserTags The browser's languages, for a URL without `locale` or with one that the page does not support.
 */
export function readLaunch(address: URL, browserTags: readonly string[]): Launch {
  const { accessToken, ...params } = Object.fromEntries(address.searchParams)
  return {
    accessToken: accessToken || null,
    params,
    tag: chooseTag([params.locale ?? '', ...browserTags]),
    shop: { name: (params.shop_name ?? '').slice(0, 60), logo: imageAddress(params.shop_logo) },
  }
}

function imageAddress(address = ''): string | null {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null
}
