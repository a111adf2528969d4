/** Checks what the merchant gave, once, before anything is opened. */
import { invalid } from './errors.ts'
import { ofDocument } from './names.ts'
import { own } from './own.ts'
import type { PurchaseWidgetOptions, WidgetBehaviour, WidgetParams, WidgetStrings } from './types.ts'
import { originOf } from './url.ts'

/** Options as the loader uses them: complete, with absolute addresses. */
export type Settings = PurchaseWidgetOptions &
  Required<Pick<WidgetBehaviour, 'mode' | 'redirectPage' | 'fallback' | 'preload' | 'theme'>> & {
    strings: WidgetStrings
    params: WidgetParams
    /** Origins that a return address may have. */
    origins: readonly (string | undefined)[]
  }

/** ASCII only: a page may read the script in another encoding. */
const english: WidgetStrings = {
  title: 'Purchase',
  close: 'Close',
  loading: 'Loading...',
  inOtherWindow: 'Your purchase is open in another window.',
  bringToFront: 'Show window',
  finished: 'I have finished',
  notLoading: 'Nothing to see?',
  retry: 'Try again',
  openInNewWindow: 'Open in new window',
}

/** What an option may be; the first is the default. */
const choices = {
  mode: 'modal iframe popup redirect',
  redirectPage: 'self new',
  fallback: 'modal redirect none',
  preload: 'none intent eager',
  theme: 'system light dark',
}

/** On a server there is no page: a relative address is checked there as if there were one. */
const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document ? ofDocument('baseURI') : 'https://localhost').href
  } catch {
    return url
  }
}

/** @throws WidgetError `invalid_options`, naming the option and what it may be. */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const settings = own(options) as Settings & Record<string, unknown>
  const { companion, accessToken, launchUrl, widgetUrl, container, title } = settings
  const params = own<WidgetParams>(settings.params ?? {})
  const { redirectPage = params.redirect_page } = settings
  if ([companion, accessToken, launchUrl].filter(Boolean).length !== 1)
    invalid('Pass one of companion, accessToken, launchUrl.')
  if (!companion) originOf(widgetUrl, 'widgetUrl')
  for (const name of ['companion', 'launchUrl']) {
    if (!settings[name]) continue
    settings[name] = absolute(`${settings[name]}`)
    originOf(settings[name], name)
  }
  if (container) settings.mode ??= 'iframe'
  if ((params.redirect_page ?? redirectPage) !== redirectPage)
    invalid('Pass one of redirectPage, params.redirect_page.')
  if (redirectPage) settings.redirectPage = params.redirect_page = redirectPage
  for (const [name, choice] of Object.entries(choices)) {
    const allowed = choice.split(' ')
    settings[name] ??= allowed[0]
    if (!allowed.includes(`${settings[name]}`)) invalid(`${name}: use one of ${choice}.`)
  }
  if (settings.mode === 'iframe' && !container) invalid('container: pass one for mode iframe.')
  settings.strings = { ...english, ...(title && { title }), ...settings.strings }
  settings.popup = own(settings.popup ?? {})
  settings.origins = [
    globalThis.origin,
    ...(settings.allowedReturnOrigins ?? []).map((each) => originOf(each, 'allowedReturnOrigins')),
  ]
  settings.params = checkParams(settings, params)
  return settings
}

/**
 * Return addresses must lead to the merchant's own pages; relative ones are made absolute. In mode `redirect` the loader itself opens
 * the tab that was asked for, and the return page belongs into that one.
 */
export function checkParams({ origins, mode }: Settings, params: WidgetParams): WidgetParams {
  const checked = own(params)
  if (mode === 'redirect') checked.redirect_page = 'self'
  for (const name of ['redirect_url', 'fail_redirect_url']) {
    if (!checked[name] || !globalThis.document) continue
    checked[name] = absolute(checked[name])
    if (!origins.includes(originOf(checked[name], name)))
      invalid(`${name}: add its origin to allowedReturnOrigins.`)
  }
  return checked
}
