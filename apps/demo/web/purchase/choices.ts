import type { Mode, RedirectPage } from '@purchase-widget/loader'

/** The two choices that every page of the demo offers, and how they stand in its address. */

export interface Choice<Value extends string> {
  value: Value
  label: string
  hint: string
}

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

/** `?mode=popup&redirectPage=new`; what is missing or unknown falls back to the first. */
export function readChoices(query: URLSearchParams): { mode: Mode; redirectPage: RedirectPage } {
  return {
    mode: pick(modes, query.get('mode')) ?? 'modal',
    redirectPage: pick(redirectPages, query.get('redirectPage')) ?? 'self',
  }
}

function pick<Value extends string>(
  choices: readonly Choice<Value>[],
  value: string | null,
): Value | undefined {
  return choices.find((choice) => choice.value === value)?.value
}

/**
 * Where the service sends the shopper afterwards. Two addresses, because it promises to add nothing to one.
 *
 * `launch` marks a purchase that the shop's server began, so that the return page asks that server about it.
 */
export function returnAddresses(
  origin: string,
  by: 'page' | 'launch' = 'page',
): { redirect_url: string; fail_redirect_url: string } {
  const mark = by === 'launch' ? '&by=launch' : ''
  return {
    redirect_url: `${origin}/return.html?from=success${mark}`,
    fail_redirect_url: `${origin}/return.html?from=fail${mark}`,
  }
}
