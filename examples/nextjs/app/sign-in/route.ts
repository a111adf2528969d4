import { NextResponse } from 'next/server'
import { signSession } from '../session.ts'

/** Placeholder for your sign-in. */
export async function POST(): Promise<NextResponse> {
  const response = new NextResponse(null, { status: 204 })
  const secure = process.env.NODE_ENV === 'production'
  const session = await signSession(crypto.randomUUID())
  response.cookies.set('session', session, { httpOnly: true, sameSite: 'lax', secure })
  return response
}
