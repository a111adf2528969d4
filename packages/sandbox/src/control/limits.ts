/** Reads and sets what users may spend. */
import { limitTableSchema } from '../domain/kyc.ts'
import { defineOperation, type Operation } from '../service/operation.ts'
import { writeSetting } from '../state/settings.ts'

export const getLimits: Operation = defineOperation({
  name: 'getLimits',
  tag: 'control',
  summary: 'What users may spend, before and after full KYC',
  method: 'get',
  path: '/_sandbox/limits',
  response: limitTableSchema,
  run: (state) => state.limits,
})

export const putLimits: Operation = defineOperation({
  name: 'putLimits',
  tag: 'control',
  summary: 'Set what users may spend',
  method: 'put',
  path: '/_sandbox/limits',
  body: limitTableSchema,
  response: limitTableSchema,
  run(state, { body }) {
    state.limits = body
    writeSetting(state.db, 'limits', body)
    return body
  },
})
