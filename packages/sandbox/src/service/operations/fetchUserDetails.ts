/** Gives a user’s details: section 4.7 of the interface. */
import { z } from 'zod'
import { invalid, notFound } from '../../refusal.ts'
import { findUser, findUserByEmail } from '../../state/users.ts'
import { keyInBody } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'
import { toUserRecord, userRecordSchema } from '../records/user.ts'

/** Section 4.7: by `user_id` or `email`. The envelope is nested twice. */
export const fetchUserDetails: ServiceOperation = defineServiceOperation({
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
    data: z.object({ error: z.literal(false), message: z.string(), data: userRecordSchema }),
  }),
  run(state, { body: { user_id, email } }) {
    if (!user_id && !email) throw invalid('user_id, email', 'one of them is required')
    const user = user_id ? findUser(state, user_id) : findUserByEmail(state, email ?? '')
    if (!user || (email && user.email.toLowerCase() !== email.toLowerCase()))
      throw notFound('There is no such user.')
    return { data: { error: false as const, message: 'User found.', data: toUserRecord(state, user) } }
  },
})
