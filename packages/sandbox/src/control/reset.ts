/** Brings everything back to the start. */
import { startOver } from '../domain/seed.ts'
import { defineOperation, type Operation } from '../service/operation.ts'
import { done, doneSchema } from './done.ts'

export const reset: Operation = defineOperation({
  name: 'reset',
  tag: 'control',
  summary: 'Everything as at the start; credentials stay',
  method: 'post',
  path: '/_sandbox/reset',
  response: doneSchema,
  run(state) {
    startOver(state)
    return done('Everything is as at the start.')
  },
})
