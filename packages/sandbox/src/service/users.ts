/** Users: sections 1.5, 2.4, 4.6 and 4.7 of the interface. */
import { z } from 'zod'
import { limitsOf } from '../domain/kyc.ts'
import { invalid, notFound } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import type { CardRow, UserRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { addUser, cardsOf, findUser, findUserByEmail, type NewUser } from '../state/users.ts'
import { keyInBody, keyInHeaderAndBody } from './credentials.ts'
import { type ServiceOperation, serviceOperation } from './operation.ts'

const name = z.string().trim().min(1, 'must not be empty').max(100, 'must have at most 100 characters')

const newUser = z.object({
  api_key: z.string(),
  phone: z
    .string()
    .regex(/^\+\d{6,15}$/, 'must be a plus sign and country digits, as in +12015550123')
    .describe('E.164: a leading plus and digits.'),
  first_name: name,
  last_name: name,
  date_of_birth: z.iso.date('must be a real date written YYYY-MM-DD'),
  country_of_residence: z.string().describe('Alpha-3 country code (ISO 3166-1).'),
  email: z.email('must be an e-mail address').max(254, 'must have at most 254 characters'),
  state_of_residence: z.string().describe('Alpha-2 US state code (ISO 3166-2:US).'),
})

/** Every field is required, and the user starts in the low-KYC state. */
const createWidgetUser = serviceOperation({
  name: 'createWidgetUser',
  section: '4.6',
  summary: 'Create a widget user',
  method: 'post',
  path: '/api/user/create_widget_user',
  credential: keyInHeaderAndBody,
  body: newUser,
  response: z.object({
    error: z.literal(false),
    message: z.string(),
    data: z.object({ id: z.string(), user_id: z.string().length(26) }),
  }),
  async run(state, { body }) {
    const user = await checked(body, state.switches.regionLists, state.clock.now())
    const { id, user_id } = state.db.transaction(() => addUser(state, user))
    return { error: false as const, message: 'User created.', data: { id, user_id } }
  },
})

async function checked(
  body: z.infer<typeof newUser>,
  lists: Switches['regionLists'],
  now: number,
): Promise<NewUser> {
  // Loaded lazily: phone number and region data take longer to load than the rest of the sandbox, and few runs need them.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const { isCountry, isUsState } = await import('../domain/regions.ts')
  const phone = parsePhoneNumberFromString(body.phone)
  if (!phone?.isValid() || !phone.country) throw invalid('phone', 'is not a phone number of any country')
  if (Date.parse(body.date_of_birth) > now) throw invalid('date_of_birth', 'is in the future')
  if (!isCountry(body.country_of_residence, lists))
    throw invalid('country_of_residence', 'must be an alpha-3 country code on the list, as in USA')
  if (!isUsState(body.state_of_residence, lists))
    throw invalid('state_of_residence', 'must be an alpha-2 US state code on the list, as in CA')
  const { first_name, last_name, date_of_birth, email } = body
  return {
    first_name,
    last_name,
    date_of_birth,
    email,
    phone: phone.number,
    phone_country: phone.country,
    country: body.country_of_residence,
    state: body.state_of_residence,
  }
}

const decimal = z.string().regex(/^\d+\.\d{2,8}$/)

const limits = z
  .object({
    crypto_remaining: decimal,
    crypto_spending: decimal,
    digital_goods_remaining: decimal,
    digital_goods_spending: decimal,
  })
  .meta({ id: 'Limits', description: 'Section 2.5' })

const userRecord = z
  .object({
    country: z.string().length(3),
    created_at: z.iso.datetime({ precision: 3 }),
    fkyc_status: z.string(),
    lkyc_status: z.string(),
    limits,
    linked_payment_methods: z.array(
      z.object({
        method: z.string(),
        cards: z.array(
          z.object({
            brand: z.string(),
            card_id: z.string(),
            created_at: z.iso.datetime({ precision: 3 }),
            last_digits: z.string().length(4),
          }),
        ),
      }),
    ),
    phone: z.string(),
    phone_country: z.string().length(2),
    user_id: z.string().length(26),
  })
  .meta({ id: 'User', description: 'Section 2.4' })
type UserRecord = z.infer<typeof userRecord>

/** Finds a user by `user_id` or `email`. The response envelope is nested twice. */
const fetchUserDetails = serviceOperation({
  name: 'fetchUserDetails',
  section: '4.7',
  summary: 'Fetch a user’s details',
  method: 'post',
  path: '/api/user/fetch_user_details',
  credential: keyInBody,
  body: z.object({
    api_key: z.string(),
    user_id: z.string().optional().describe('The user id; webhooks call it external_user_id.'),
    email: z.string().optional(),
  }),
  response: z.object({
    data: z.object({ error: z.literal(false), message: z.string(), data: userRecord }),
  }),
  run(state, { body: { user_id, email } }) {
    if (!user_id && !email) throw invalid('user_id, email', 'one of them is required')
    const user = user_id ? findUser(state, user_id) : findUserByEmail(state, email ?? '')
    if (!user || (email && user.email.toLowerCase() !== email.toLowerCase()))
      throw notFound('There is no such user.')
    return { data: { error: false as const, message: 'User found.', data: toUserRecord(state, user) } }
  },
})

function toUserRecord(state: State, user: UserRow): UserRecord {
  const cards = cardsOf(state, user.user_id)
  const known = state.switches.statuses === 'known'
  return {
    country: user.country,
    created_at: new Date(user.created_at).toISOString(),
    fkyc_status: known ? user.fkyc_status : 'manual review',
    lkyc_status: known ? user.lkyc_status : 'provisional',
    limits: limitsOf(state.limits, user),
    linked_payment_methods: cards.length === 0 ? [] : [{ method: 'bank_card', cards: cards.map(toCard) }],
    phone: mask(user.phone, 4, 2),
    phone_country: user.phone_country,
    user_id: user.user_id,
  }
}

const toCard = (card: CardRow): UserRecord['linked_payment_methods'][number]['cards'][number] => ({
  brand: card.brand,
  card_id: mask(card.card_id, 4, 4),
  created_at: new Date(card.created_at).toISOString(),
  last_digits: card.last_digits,
})

/** Replaces all but the first and last few characters with stars. */
function mask(text: string, first: number, last: number): string {
  const hidden = Math.max(0, text.length - first - last)
  return text.slice(0, first) + '*'.repeat(hidden) + text.slice(first + hidden)
}

export const userOperations: readonly ServiceOperation[] = [createWidgetUser, fetchUserDetails]
