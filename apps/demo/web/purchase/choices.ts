/** The choices that every page of the demo offers, and how they stand in its address. */
import type { Mode, RedirectPage } from '@purchase-widget/loader'
import { isLanguage, type LanguageTag } from '../../languages.ts'

export interface Choice<Value extends string> {
  value: Value
  label: string
  hint: string
}

/** Where the access token is used: the page builds the widget's address, or the server leads to it and the page never has the token. */
export type TokenPlace = 'page' | 'server'

export const modes: readonly Choice<Mode>[] = [
  { value: 'iframe', label: 'Iframe', hint: 'in the page' },
  { value: 'modal', label: 'Modal', hint: 'over the page' },
  { value: 'popup', label: 'Popup', hint: 'a window of its own' },
  { value: 'redirect', label: 'Redirect', hint: 'instead of the page' },
]

export const redirectPages: readonly Choice<RedirectPage>[] = [
  { value: 'self', label: 'Self', hint: 'this tab goes to the return page' },
  { value: 'new', label: 'New', hint: 'the return page gets its own tab' },
]

export const tokenPlaces: readonly Choice<TokenPlace>[] = [
  { value: 'server', label: 'On server', hint: 'the page gets a ticket' },
  { value: 'page', label: 'In page', hint: 'the page builds the address' },
]

export interface Choices {
  mode: Mode
  redirectPage: RedirectPage
  token: TokenPlace
  /** Of the checkout. The shop itself is in English. */
  locale: LanguageTag
}

/**
 * `?mode=popup&redirectPage=new&token=page&locale=de`; what is missing or unknown falls back to the default. The token stays on the server
 * unless somebody wants to change the widget's address in the page.
 */
export function readChoices(query: URLSearchParams): Choices {
  return {
    mode: pick(modes, query.get('mode')) ?? 'modal',
    redirectPage: pick(redirectPages, query.get('redirectPage')) ?? 'self',
    token: pick(tokenPlaces, query.get('token')) ?? (query.has('cheat') ? 'page' : 'server'),
    locale: localeIn(query),
  }
}

export function localeIn(query: URLSearchParams): LanguageTag {
  const locale = query.get('locale')
  return isLanguage(locale) ? locale : 'en'
}

export function pick<Value extends string>(
  choices: readonly Choice<Value>[],
  value: string | null,
): Value | undefined {
  return choices.find((choice) => choice.value === value)?.value
}
