/** Checks what the merchant gave, once, before anything is opened. */
import { widgetError } from './errors.ts'
import type { Mode, PurchaseWidgetOptions, RedirectPage, WidgetParams, WidgetStrings } from './types.ts'
import { originOf } from './url.ts'

/** Options as the loader uses them: complete, with absolute addresses. */
export type Settings = PurchaseWidgetOptions & {
  mode: Mode
  redirectPage: RedirectPage
  strings: WidgetStrings
  params: WidgetParams
  /** Origins that a return address may have. */
  origins: readonly string[]
}

const english: WidgetStrings = {
  title: 'Purchase',
  close: 'Close',
  loading: 'Loading…',
  inOtherWindow: 'Your purchase is open in another window.',
  bringToFront: 'Show window',
  finished: 'I have finished',
  notLoading: 'Nothing to see here?',
  retry: 'Try again',
  openInNewWindow: 'Open in new window',
}

const choices = {
  mode: 'iframe modal popup redirect',
  redirectPage: 'self new',
  fallback: 'modal redirect none',
  preload: 'none intent eager',
  theme: 'light dark system',
}

const invalid = (message: string): Error => widgetError('invalid_options', message)

/** On a server there is no page: relative addresses are only checked there, and nothing is opened. */
const absolute = (url: string): string => {
  try {
    return new URL(url, globalThis.document?.baseURI ?? 'https://localhost').href
  } catch {
    return url
  }
}

/** @throws WidgetError `invalid_options`, naming the option and what it may be. */
export function parseOptions(options: PurchaseWidgetOptions): Settings {
  const settings = { ...options } as Settings & Record<string, unknown>
  const sources = ['companion', 'accessToken', 'launchUrl'].filter((name) => settings[name])
  if (sources.length !== 1) throw invalid('Pass exactly one of companion, accessToken and launchUrl.')
  for (const [name, allowed] of Object.entries(choices)) {
    const value = settings[name]
    if (value != null && !allowed.split(' ').includes(value as string))
      throw invalid(`${name}: use one of ${allowed}.`)
  }
  settings.mode ??= settings.container ? 'iframe' : 'modal'
  if (settings.mode === 'iframe' && !settings.container) throw invalid('mode iframe needs a container.')
  settings.redirectPage ??= options.params?.redirect_page ?? 'self'
  settings.strings = { ...english, ...(options.title && { title: options.title }), ...options.strings }
  for (const name of ['companion', 'launchUrl'] as const) {
    const url = settings[name]
    if (!url) continue
    settings[name] = absolute(url)
    originOf(settings[name], name)
  }
  if (!settings.companion) originOf(settings.widgetUrl, 'widgetUrl')
  settings.origins = [globalThis.location?.origin, ...(options.allowedReturnOrigins ?? [])]
  settings.params = {
    ...options.params,
    ...(options.redirectPage && {
      // The loader itself opens the tab that was asked for; the return page belongs into that one.
      redirect_page: settings.mode === 'redirect' ? 'self' : options.redirectPage,
    }),
  }
  if (globalThis.document) settings.params = checkParams(settings, settings.params)
  return settings
}

/** Return addresses must lead to the merchant's own pages; relative ones are made absolute. */
export function checkParams({ origins }: Settings, params: WidgetParams): WidgetParams {
  const checked = { ...params }
  for (const name of ['redirect_url', 'fail_redirect_url']) {
    const url = checked[name] && absolute(checked[name])
    if (!url) continue
    checked[name] = url
    if (!origins.includes(originOf(url, name)))
      throw invalid(`${name}: add its origin to allowedReturnOrigins.`)
  }
  return checked
}
