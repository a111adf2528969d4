/** Placeholder for your sessions: a signed cookie that says who is signed in, and until when. */
import { jwtVerify, SignJWT } from 'jose'
import type { NextRequest } from 'next/server'

/** Read with the first request, so that a build needs no secret. */
const key = (): Uint8Array => new TextEncoder().encode(process.env.SESSION_SECRET)

export const signSession = (shopper: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(shopper)
    .setExpirationTime('1 day')
    .sign(key())

/** The shopper's id; undefined without a cookie, and for a forged or expired one. */
export async function readSession({ cookies }: NextRequest): Promise<string | undefined> {
  const value = cookies.get('session')?.value ?? ''
  const session = await jwtVerify(value, key(), { algorithms: ['HS256'] }).catch(() => null)
  return session?.payload.sub
}
