// Promise: serve/jwt
/** Shoppers who are identified by a signed token, without a call to the shop. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { authorizeByJwt } from '../../src/serve/jwt.ts'
import { type Listening, listen } from '../support/http.ts'

const secret = 'a secret of at least 32 bytes, as it must be'
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const tokenOf = (claims: JWTPayload, key = secret, alg = 'HS256'): Promise<string> =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 60, ...claims })
    .setProtectedHeader({ alg })
    .sign(encode(key))

const withCookie = (token: string): Request =>
  new Request('https://shop.example/', { headers: { cookie: `a=b; session=${token}` } })

describe('a token that the shop signs', () => {
  const authorize = authorizeByJwt({ cookie: 'session', issuer: 'shop', secret })

  test('a token identifies the shopper by its subject', async () => {
    expect(await authorize(withCookie(await tokenOf({ sub: 'shopper-1', iss: 'shop' })))).toEqual({
      customId: 'shopper-1',
    })
  })

  test('a token identifies the shopper by another claim, even a number, from Authorization', async () => {
    const byClaim = authorizeByJwt({ claim: 'user', secret })
    const headers = { authorization: `Bearer ${await tokenOf({ user: 7 })}` }
    expect(await byClaim(new Request('https://shop.example/', { headers }))).toEqual({ customId: '7' })
  })

  test.each([2 ** 53, 1.5])('a number that loses digits identifies nobody: %d', async (user) => {
    const byClaim = authorizeByJwt({ cookie: 'session', claim: 'user', secret })
    const token = await tokenOf({ user })
    await expect(async () => byClaim(withCookie(token))).rejects.toThrow(/needs the claim "user" as text/)
  })

  test('why a token is refused is reported, once for each reason and without what it contains', async () => {
    const reasons: unknown[] = []
    const reporting = authorizeByJwt(
      { cookie: 'session', issuer: 'shop', audience: 'us', secret },
      (reason) => reasons.push(reason),
    )
    const past = Math.floor(Date.now() / 1000) - 60
    const fits = { sub: 'ada', iss: 'shop', aud: 'us' }
    const refused = [
      { ...fits, iss: 'Jane' },
      { ...fits, iss: 'Joe' },
      { ...fits, aud: 'them' },
      { iss: 'shop', aud: 'us' },
    ]
    for (const claims of [...refused, { ...fits, exp: past }])
      await reporting(withCookie(await tokenOf(claims)))
    await reporting(withCookie(await tokenOf(fits, `${secret}x`)))
    await reporting(withCookie('no token'))
    expect(await reporting(withCookie(await tokenOf(fits)))).toEqual({ customId: 'ada' })
    expect(reasons).toEqual([
      ...['iss', 'aud', 'sub'].map((claim) => ({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim })),
      { code: 'ERR_JWT_EXPIRED', claim: 'exp' },
      { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' },
      { code: 'ERR_JWS_INVALID' },
    ])
  })

  const now = Math.floor(Date.now() / 1000)
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"shopper-1","iss":"shop","exp":9999999999}')}.`
  test.each<[string, () => Promise<string> | string]>([
    ['is missing', () => ''],
    ['has expired', () => tokenOf({ sub: 'shopper-1', iss: 'shop', exp: now - 60 })],
    [
      'never expires',
      () =>
        new SignJWT({ sub: 'shopper-1', iss: 'shop' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(encode(secret)),
    ],
    ['is signed by another key', () => tokenOf({ sub: 'shopper-1', iss: 'shop' }, `${secret}x`)],
    ['is not signed', () => unsigned.replaceAll('=', '')],
    ['is another issuer’s', () => tokenOf({ sub: 'shopper-1', iss: 'other' })],
    ['has no subject', () => tokenOf({ iss: 'shop' })],
    ['has an object as its subject', () => tokenOf({ iss: 'shop', sub: { id: 1 } as unknown as string })],
    ['has an empty subject', () => tokenOf({ iss: 'shop', sub: '' })],
    ['has a subject of spaces', () => tokenOf({ iss: 'shop', sub: '  ' })],
    ['has a subject with NUL', () => tokenOf({ iss: 'shop', sub: 'shopper\0-1' })],
    ['has a subject of more than 200 characters', () => tokenOf({ iss: 'shop', sub: 'x'.repeat(201) })],
    ['is no token', () => 'x.y.z'],
  ])('a token identifies no shopper when it %s', async (_, make) => {
    expect(await authorize(withCookie(await make()))).toBeNull()
  })
})

describe('a token that an issuer signs', () => {
  let issuer: Listening | undefined
  afterEach(() => issuer?.close())

  test('a token is verified with the issuer’s key set, and never with a public key as a secret', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' }
    issuer = await listen((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
    const authorize = authorizeByJwt({ cookie: 'session', issuer: 'id', jwks: `${issuer.url}/keys` })
    const token = await new SignJWT({ sub: 'shopper-1', iss: 'id' })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('1 minute')
      .sign(privateKey)
    expect(await authorize(withCookie(token))).toEqual({ customId: 'shopper-1' })
    expect(
      await authorize(withCookie(await tokenOf({ sub: 'shopper-1', iss: 'id' }, JSON.stringify(jwk)))),
    ).toBeNull()
  })

  test.each<[string, (response: import('node:http').ServerResponse) => void]>([
    ['is away', (response) => response.destroy()],
    ['redirects', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['is no key set', (response) => response.end('[]')],
  ])('fails when the key set %s', async (_, respond) => {
    issuer = await listen((_request, response) => respond(response))
    const authorize = authorizeByJwt({ cookie: 'session', issuer: 'id', jwks: issuer.url })
    const { privateKey } = await generateKeyPair('ES256')
    const token = await new SignJWT({ sub: 'a', iss: 'id' })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('1 minute')
      .sign(privateKey)
    await expect(async () => authorize(withCookie(token))).rejects.toThrow(
      /key set of your issuer \(jwks\), which could not be read/,
    )
  })
})
