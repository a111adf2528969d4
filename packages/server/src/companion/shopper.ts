/** Checks who is asking, as the merchant's `authorize` says. */
import { InvalidInputError } from '../errors.ts'
import { readCustomId } from '../purchase/carriedId.ts'
import type { Caller } from '../purchase/shopper.ts'
import { isStorable } from '../purchase/storable.ts'
import { Refusal } from './answer.ts'
import type { Authorized } from './options.ts'

const MOST_FORMER_IDS = 20

/**
 * @throws Refusal when nobody is signed in; InvalidInputError when the merchant's `authorize` names nobody.
 */
export function checkShopper(authorized: Authorized): Caller {
  if (!authorized || authorized instanceof Response) {
    throw new Refusal('unauthorized', 'Sign in first.', { instead: authorized })
  }
  const { customId, userId, formerly = [] } = authorized
  const hasId = (customId ?? userId) !== undefined && isIdOrNone(customId) && isIdOrNone(userId)
  if (!hasId || !Array.isArray(formerly) || !formerly.every(isId)) {
    throw new InvalidInputError(
      'authorize',
      'authorize() must return a customId, a userId or both, and formerly as a list of ids, without NUL or half pairs of UTF-16; or null for nobody.',
    )
  }
  if ([customId, ...formerly].some((id) => readCustomId(id) !== null)) {
    throw new InvalidInputError(
      'authorize',
      'authorize() must not return the custom_id of a purchase, purchase_ and 22 characters, as a customId or in formerly: give shoppers ids of their own.',
    )
  }
  const { formerly: _, ...shopper } = authorized
  return { shopper, formerly: formerly.slice(-MOST_FORMER_IDS) }
}

const isId = (id: unknown): boolean => typeof id === 'string' && id.trim() !== '' && isStorable(id)

const isIdOrNone = (id: unknown): boolean => id === undefined || isId(id)
