/** Reads and sets the users' spending limits. */
import { limitTableSchema } from '../domain/kyc.ts'
import { control, type Operation } from '../service/operation.ts'
import { writeSetting } from '../state/database.ts'

export const limitControls: readonly Operation[] = [
  control({
    name: 'getLimits',
    summary: 'Get the spending limits before and after full KYC',
    method: 'get',
    path: '/_sandbox/limits',
    response: limitTableSchema,
    run: (state) => state.limits,
  }),
  control({
    name: 'putLimits',
    summary: 'Set the spending limits',
    method: 'put',
    path: '/_sandbox/limits',
    body: limitTableSchema,
    response: limitTableSchema,
    run(state, { body }) {
      state.limits = body
      writeSetting(state.db, 'limits', body)
      return body
    },
  }),
]
