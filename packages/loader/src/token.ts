/** Where the widget's address comes from. */
import { isWidgetError, widgetError } from './errors.ts'
import { checkParams, type Settings } from './options.ts'
import type { WidgetParams } from './types.ts'
import { buildWidgetUrl, originOf, withParams } from './url.ts'

/** An address to open. Good until `until`, in milliseconds since 1970. */
export interface Target {
  url: string
  origin: string
  until: number
}

/** Gives a target that is good now; with `anew`, a new one. */
export type GetTarget = (anew?: boolean) => Promise<Target>

/** What the companion's `POST /token` answers. */
interface Grant {
  accessToken?: string | undefined
  widgetUrl?: string | undefined
  expiresAt?: string | null
  params?: WidgetParams
}

async function askCompanion(companion: string): Promise<Grant> {
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
  const { companion, accessToken, launchUrl } = settings
  const { widgetUrl, expiresAt, ...grant }: Grant = companion
    ? await askCompanion(companion)
    : {
        widgetUrl: settings.widgetUrl,
        accessToken: typeof accessToken === 'function' ? await accessToken() : accessToken,
      }
  originOf(widgetUrl, 'widgetUrl')
  const params = checkParams(settings, { ...settings.params, ...grant.params })
  return {
    origin: new URL(`${widgetUrl}`).origin,
    url: launchUrl
      ? withParams(launchUrl, params)
      : buildWidgetUrl({ widgetUrl: `${widgetUrl}`, accessToken: grant.accessToken as string, params }),
    // Without a stated expiry, what was fetched early is used for ten minutes.
    until: expiresAt ? Date.parse(expiresAt) - 60_000 : Date.now() + 600_000,
  }
}

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
        : widgetError('token_failed', 'No access token; check your server.', cause)
    })
    return pending
  }
  return async (anew) => {
    const target = await ((!anew && pending) || renew())
    return target.until > Date.now() ? target : renew()
  }
}
