/** Where the widget's address comes from. */
import { isWidgetError, widgetError } from './errors.ts'
import { checkParams, type Settings } from './options.ts'
import type { WidgetParams } from './types.ts'
import { buildWidgetUrl, originOf, withQuery } from './url.ts'

/** What the companion's `POST /token` answers. */
interface Grant {
  accessToken: string
  widgetUrl: string
  expiresAt?: string | null
  params?: WidgetParams
}

/** An address to open. Good until `until`, in milliseconds since 1970. */
export interface Target {
  url: string
  origin: string
  until: number
}

/** Without a stated expiry, a token that was fetched early is used for ten minutes; else until a minute before its expiry. */
const untilOf = (expiresAt: string | null | undefined): number =>
  expiresAt ? Date.parse(expiresAt) - 60_000 : Date.now() + 600_000

async function grantOf({ companion, widgetUrl, accessToken }: Settings): Promise<Grant> {
  if (!companion)
    return {
      widgetUrl: widgetUrl as string,
      accessToken: await (typeof accessToken === 'function' ? accessToken() : (accessToken as string)),
    }
  const response = await fetch(`${companion}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw Error(`HTTP ${response.status}`)
  // A parser's complaint quotes what it read, which may be the token.
  return response.json().catch(() => ({}))
}

async function targetOf(settings: Settings): Promise<Target> {
  const { launchUrl } = settings
  const grant = launchUrl ? undefined : await grantOf(settings)
  const widgetUrl = grant ? grant.widgetUrl : (settings.widgetUrl as string)
  const params = checkParams(settings, { ...settings.params, ...grant?.params })
  const url = grant
    ? buildWidgetUrl({ widgetUrl, accessToken: grant.accessToken, params })
    : withQuery(launchUrl as string, params)
  return { url, origin: originOf(widgetUrl, 'widgetUrl'), until: untilOf(grant?.expiresAt) }
}

/** Gives a target that is good now; with `anew`, a new one. */
export type GetTarget = (anew?: boolean) => Promise<Target>

/**
 * Gives the widget's address, with one token call however often it is asked while the token is good.
 * Rejects with `token_failed`, or `invalid_options` for an answer that may not be opened; asking again tries again.
 */
export function createTargets(settings: Settings): GetTarget {
  let pending: Promise<Target> | undefined
  const renew = (): Promise<Target> => {
    pending = targetOf(settings).catch((cause) => {
      pending = undefined
      throw isWidgetError(cause)
        ? cause
        : widgetError('token_failed', 'No access token. Check that your server answers.', cause)
    })
    return pending
  }
  return async (anew) => {
    const target = await ((!anew && pending) || renew())
    return target.until > Date.now() ? target : renew()
  }
}
