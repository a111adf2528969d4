/** Uses the leased token, and once another when the service refuses it. */
import { isApiError } from '../errors.ts'
import type { TokenLease } from './tokenLease.ts'

/** Somebody else may have ended the token by creating another (U8). */
export async function withToken<T>(tokens: TokenLease, use: (accessToken: string) => Promise<T>): Promise<T> {
  const { accessToken } = await tokens.get()
  try {
    return await use(accessToken)
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error
    const other = await tokens.get(accessToken)
    if (other.accessToken === accessToken) throw error
    return use(other.accessToken)
  }
}
