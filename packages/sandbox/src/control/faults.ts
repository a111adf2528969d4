/** Injects, lists and removes faults. */
import { z } from 'zod'
import { notFound } from '../refusal.ts'
import { defineOperation, type Operation } from '../service/operation.ts'
import { type Fault, faultSchema } from '../simulation/faults.ts'
import { done, doneSchema } from './done.ts'

/** A fault as it was injected, with an id; its `count` is what is left of it. */
export const faultRecord: z.ZodType<Fault> = faultSchema.and(z.object({ id: z.int() }))

export const listFaults: Operation = defineOperation({
  name: 'listFaults',
  tag: 'control',
  summary: 'The faults that are active',
  method: 'get',
  path: '/_sandbox/faults',
  response: z.array(faultRecord),
  run: (state) => state.faults.list(),
})

export const addFault: Operation = defineOperation({
  name: 'addFault',
  tag: 'control',
  summary: 'Inject a fault: latency, status, reset, stall or malformed',
  method: 'post',
  path: '/_sandbox/faults',
  body: faultSchema,
  status: 201,
  response: faultRecord,
  run: (state, { body }) => state.faults.add(body),
})

export const clearFaults: Operation = defineOperation({
  name: 'clearFaults',
  tag: 'control',
  summary: 'Remove all faults',
  method: 'delete',
  path: '/_sandbox/faults',
  response: doneSchema,
  run(state) {
    state.faults.clear()
    return done('No faults are left.')
  },
})

export const removeFault: Operation = defineOperation({
  name: 'removeFault',
  tag: 'control',
  summary: 'Remove one fault',
  method: 'delete',
  path: '/_sandbox/faults/:id',
  response: doneSchema,
  run(state, { path }) {
    if (!state.faults.remove(Number(path.id))) throw notFound('There is no such fault.')
    return done('The fault is gone.')
  },
})
