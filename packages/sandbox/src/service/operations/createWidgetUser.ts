/** Creates a widget user: section 4.6 of the interface. */
import { z } from 'zod'
import type { RegionLists } from '../../domain/regions.ts'
import { invalid } from '../../refusal.ts'
import { addUser, type NewUser } from '../../state/users.ts'
import { keyInHeaderAndBody } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'

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

/** Sections 1.5, 4.6: every field is required, and the user starts in the low-KYC state. */
export const createWidgetUser: ServiceOperation = defineServiceOperation({
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

async function checked(body: z.infer<typeof newUser>, lists: RegionLists, now: number): Promise<NewUser> {
  // The world's numbers and regions take longer to load than the rest of the sandbox; few starts need them.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const { isCountry, isUsState } = await import('../../domain/regions.ts')
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
