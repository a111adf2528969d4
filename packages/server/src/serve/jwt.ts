/** Who the shopper is: a signed token in a cookie or in `Authorization` says it, without a call to the shop. */
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { readAtMost } from '../client/readAnswer.ts'
import type { CompanionOptions } from '../companion/options.ts'
import type { JwtSettings } from './configuration.ts'
import { HookError } from './hook.ts'
import { cookiesOf, shopperId } from './hooks.ts'

const TIMEOUT_MS = 3_000
const LONGEST_KEY_SET = 262_144
const MACS = ['HS256', 'HS384', 'HS512']
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** @param secret of tokens that the shop signs itself; null with an issuer's key set. */
export function authorizeByJwt(settings: JwtSettings, secret: string | null): CompanionOptions['authorize'] {
  const { cookie, jwks = '', secret: _, claim = 'sub', ...expected } = settings
  const options: JWTVerifyOptions = {
    // Neither a key set's public key nor "none" may stand in for a secret.
    algorithms: secret === null ? SIGNATURES : MACS,
    requiredClaims: ['exp', claim],
    clockTolerance: 5,
    ...expected,
  }
  const key = secret === null ? remoteKeys(jwks) : new TextEncoder().encode(secret)

  return async ({ headers }) => {
    const token = cookie === undefined ? bearerOf(headers) : cookiesOf(headers.get('cookie'))[cookie]
    if (!token) return null
    const claims = await claimsOf(token, key, options)
    const said = claims?.[claim]
    const id = shopperId.safeParse(typeof said === 'number' ? String(said) : said)
    return id.success ? { customId: id.data } : null
  }
}

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** Null for a token that is forged, expired, or somebody else's: nobody is signed in. */
async function claimsOf(
  token: string,
  key: Uint8Array | JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<Record<string, unknown> | null> {
  try {
    const { payload } =
      typeof key === 'function' ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options)
    return payload
  } catch (error) {
    const isUnreachable =
      !(error instanceof errors.JOSEError) ||
      error instanceof errors.JWKSTimeout ||
      error instanceof errors.JWKSInvalid
    if (isUnreachable)
      throw new HookError('authorize', 'needs the key set of your issuer, which could not be read.')
    return null
  }
}

function remoteKeys(address: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: async (url, options) => {
      const response = await fetch(url, { ...options, redirect: 'manual' })
      const text = response.ok ? await readAtMost(response.body, LONGEST_KEY_SET) : null
      if (text === null) throw new Error('No key set, or one that is far too long.')
      return new Response(text)
    },
  })
}
