/** Identifies the shopper by a signed token in a cookie or in `Authorization`, without a call to the shop. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose'
import type { CompanionOptions } from '../companion/options.ts'
import type { JwtSettings } from './configuration.ts'
import { HookError } from './hook.ts'
import { cookiesOf, shopperId } from './hooks.ts'

/** Why a token identifies nobody: jose's code, and the claim that does not fit. Never what the token contains. */
export interface RefusedToken {
  readonly code: string
  readonly claim?: string
}

/** @param onRefused called once for each reason: a wrong issuer in the settings would otherwise look like shoppers who have not signed in. */
export function authorizeByJwt(
  settings: JwtSettings,
  onRefused: (reason: RefusedToken) => void = () => {},
): CompanionOptions['authorize'] {
  const { cookie, jwks = '', secret, claim = 'sub', ...expected } = settings
  const options: JWTVerifyOptions = {
    // A key set holds only public keys, which jose accepts for no other kind of algorithm.
    ...(secret === undefined ? {} : { algorithms: ['HS256', 'HS384', 'HS512'] }),
    requiredClaims: ['exp', claim],
    clockTolerance: 5,
    ...expected,
  }
  const keyOf: JWTVerifyGetKey =
    secret === undefined
      ? createRemoteJWKSet(new URL(jwks), { timeoutDuration: 3_000 })
      : () => new TextEncoder().encode(secret)
  const told = new Set<string>()

  function tell(error: errors.JOSEError): void {
    const { code } = error
    const reason: RefusedToken = 'claim' in error ? { code, claim: String(error.claim) } : { code }
    const key = JSON.stringify(reason)
    if (!told.has(key)) onRefused(reason)
    told.add(key)
  }

  /** Null for a token that is forged, expired, or for another issuer or audience: no shopper is signed in. */
  async function claimsOf(token: string): Promise<Record<string, unknown> | null> {
    try {
      return (await jwtVerify(token, keyOf, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || KEY_SET_ERRORS.includes(error.code)) {
        throw new HookError('authorize', 'needs the key set of your issuer (jwks), which could not be read.')
      }
      tell(error)
      return null
    }
  }

  return async ({ headers }) => {
    const token = cookie === undefined ? bearerOf(headers) : cookiesOf(headers.get('cookie'))[cookie]
    if (!token) return null
    const claims = await claimsOf(token)
    const value = claims?.[claim]
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      // Two shoppers would become one: JSON rounds such a number when it is read.
      throw new HookError(
        'authorize',
        `needs the claim "${claim}" as text: a number that is not whole, or is over 2^53, loses digits.`,
      )
    }
    const id = shopperId.safeParse(typeof value === 'number' ? String(value) : value)
    return id.success ? { customId: id.data } : null
  }
}

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** jose's generic code is for a status other than 200, and for an answer that is not JSON. */
const KEY_SET_ERRORS: readonly string[] = [
  errors.JOSEError.code,
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
]
