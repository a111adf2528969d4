/** Who the shopper is: the shop's hook says it. */
import { randomUUID } from 'node:crypto'
import type { Authorized, CompanionOptions } from '../companion/options.ts'
import { type AuthorizeAnswer, readAuthorizeAnswer } from './answers.ts'
import type { HookAddress } from './configuration.ts'
import { cookiesOf } from './cookies.ts'
import type { CallHook } from './hook.ts'

/**
 * @param companionUrl what a relative `location` starts from.
 * @returns what takes the caller's network address as its context.
 */
export function authorizeByHook(
  callHook: CallHook,
  hook: HookAddress,
  companionUrl: string,
): CompanionOptions['authorize'] {
  return async ({ headers }, address = null) => {
    const cookie = headers.get('cookie')
    const authorization = headers.get('authorization')
    const answer = await callHook({
      ...hook,
      name: 'authorize',
      id: `authorize_${randomUUID()}`,
      body: { cookies: cookiesOf(cookie), authorization, address },
      // With them the shop's own session works as in every other request.
      headers: {
        ...(cookie === null ? {} : { cookie }),
        ...(authorization === null ? {} : { authorization }),
      },
    })
    if (answer.status === 'unauthorized') return null
    return authorizedBy(readAuthorizeAnswer(answer.text), companionUrl)
  }
}

function authorizedBy(answer: AuthorizeAnswer, companionUrl: string): Authorized {
  if ('location' in answer) return Response.redirect(new URL(answer.location, companionUrl).href, 303)
  const formerly = answer.formerly ?? []
  return answer.customId === undefined
    ? { userId: answer.userId, formerly }
    : { customId: answer.customId, userId: answer.userId, formerly }
}
