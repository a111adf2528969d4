/** What the page asks for, as it goes to the merchant's server or, without one, to the widget. */
import { invalid } from '../errors.ts'
import { own } from '../own.ts'
import type { RedirectPage } from '../types.ts'
import { originOf } from '../url.ts'

const addresses = ['redirect_url', 'fail_redirect_url'] as const

/** Makes values text and return addresses absolute: those must lead to the merchant's own pages. */
export function checkParams(
  given: object,
  allowedOrigins: readonly string[],
  absolute: (url: string) => string,
  allowed: Parameters<typeof originOf>[2],
): Record<string, string> {
  const params = own<Record<string, string>>({})
  for (const [name, value] of Object.entries(given)) if (value != null) params[name] = `${value}`
  for (const name of addresses) {
    if (!params[name] || !globalThis.document) continue
    params[name] = absolute(params[name])
    if (!allowedOrigins.includes(originOf(params[name], `params.${name}`, allowed))) invalid(`params.${name}`)
  }
  return params
}

/** Without a companion: the page's own parameters, with the purchase's id on the return addresses that the order keeps. */
export function paramsOf(
  given: Readonly<Record<string, string>>,
  purchaseId: string,
  redirectPage: RedirectPage,
): Record<string, string> {
  const params = own<Record<string, string>>({ ...given, redirect_page: redirectPage })
  for (const name of addresses) {
    if (!params[name]) continue
    const url = new URL(params[name])
    url.searchParams.set('purchase', purchaseId)
    params[name] = url.href
  }
  return params
}
