/** Where the widget's address comes from. */
import { isWidgetError, widgetError } from './errors.ts'
import { checkParams, type Settings } from './options.ts'
import { own } from './own.ts'
import type { WidgetError, WidgetParams } from './types.ts'
import { buildWidgetUrl, originOf, withParams } from './url.ts'

/** An address to open. */
export interface Target {
  url: string
  origin: string
  /** For one that was fetched early: when it is too old to be opened, in milliseconds since 1970. */
  until: number
}

/** Where one widget's targets come from. */
export interface Targets {
  /** Fetches a target early, unless a good one is there. When that fails, the opening asks again. */
  preload(): void
  /**
   * Gives a target for one opening, and keeps nothing: the next may be another shopper's.
   * Rejects with `token_failed`, or `invalid_options` for an answer that may not be opened.
   */
  take(): Promise<Target>
}

/** For how long what was fetched early may be opened, in milliseconds. */
const EARLY = 600_000

/** What the companion's `POST /token` answers. */
interface Grant {
  accessToken?: string | undefined
  widgetUrl?: string | undefined
  expiresAt?: string | null
  params?: WidgetParams
}

async function askCompanion(companion: string): Promise<Grant> {
  const response = await fetch(
    `${companion}/token`,
    own({ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
  )
  if (!response.ok) throw await refusalOf(response)
  // A parser's complaint quotes what it read, which may be the token.
  return response.json().catch(() => ({}))
}

/** Quotes what the companion says with a refusal, `{ error: { code, message } }`, and nothing else: that may be anything. */
async function refusalOf(response: Response): Promise<WidgetError> {
  const answer: { error?: { code?: unknown; message?: unknown } } | null = await response
    .json()
    .catch(() => null)
  const { code, message } = answer?.error ?? {}
  const said =
    typeof code === 'string' && typeof message === 'string' ? ` ${code}. ${message}` : '. Check your server.'
  return widgetError('token_failed', `No access token: ${response.status}${said}`.slice(0, 300))
}

async function targetOf(settings: Settings): Promise<Target> {
  const { companion, accessToken, launchUrl } = settings
  const grant: Grant = own(
    companion
      ? await askCompanion(companion)
      : {
          widgetUrl: settings.widgetUrl,
          accessToken: typeof accessToken === 'function' ? await accessToken() : accessToken,
        },
  )
  const { widgetUrl, expiresAt } = grant
  originOf(widgetUrl, 'widgetUrl')
  const params = checkParams(settings, { ...settings.params, ...grant.params })
  return {
    origin: new URL(`${widgetUrl}`).origin,
    url: launchUrl
      ? withParams(launchUrl, params)
      : buildWidgetUrl({ widgetUrl: `${widgetUrl}`, accessToken: grant.accessToken as string, params }),
    until: Math.min(
      Date.now() + EARLY,
      expiresAt ? Date.parse(expiresAt) - 60_000 : Number.POSITIVE_INFINITY,
    ),
  }
}

export function createTargets(settings: Settings): Targets {
  let early: Promise<Target | undefined> | undefined
  const get = async (): Promise<Target> => {
    const target = await early
    if (target && target.until > Date.now()) return target
    return targetOf(settings).catch((cause) => {
      throw isWidgetError(cause)
        ? cause
        : widgetError('token_failed', 'No access token; check your server.', cause)
    })
  }
  return {
    preload() {
      early = get().catch(() => undefined)
    },
    take() {
      const target = get()
      early = undefined
      return target
    },
  }
}
