/** What the merchant asked for when it opened this page. */
import { chooseTag, type Tag } from './language.ts'

export interface Launch {
  accessToken: string | null
  /** The order fields of section 2.2 of the interface, and whatever else the address carries (U10). */
  params: Record<string, string>
  /** The language that the page speaks. */
  tag: Tag
  shop: Shop
}

/** The merchant as the page shows it. Both parameters are the sandbox's invention: docs/assumptions.md names them. */
export interface Shop {
  name: string
  /** The address of an image, http or https. */
  logo: string | null
}

/**
 * Reads the address `/widget/?accessToken=…&product_id=…`.
 *
 * @param browserTags The languages of the browser, for an address without `locale` or with one that the page does not speak.
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
