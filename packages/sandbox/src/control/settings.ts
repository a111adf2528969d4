/** Lists and changes switches and faults. */
import { z } from 'zod'
import { notFound } from '../refusal.ts'
import { command, control, type Operation } from '../service/operation.ts'
import { type Fault, faultSchema } from '../simulation/faults.ts'
import { listSwitches, type SwitchReading, switchChanges, switchNames } from '../simulation/switches.ts'
import { writeSetting } from '../state/database.ts'

const value = z.union([z.string(), z.number(), z.boolean()])

const switchList: z.ZodType<SwitchReading[]> = z.array(
  z
    .object({
      name: z.enum(switchNames),
      row: z.string().describe('Row of docs/assumptions.md.'),
      description: z.string(),
      values: z.array(value),
      default: value,
      value,
    })
    .meta({ id: 'Switch' }),
)

export const switchControls: readonly Operation[] = [
  control({
    name: 'getSwitches',
    summary: 'The switches: what the interface leaves open, and the current value',
    method: 'get',
    path: '/_sandbox/switches',
    response: switchList,
    run: (state) => listSwitches(state.switches),
  }),
  control({
    name: 'patchSwitches',
    summary: 'Set switches by name',
    method: 'patch',
    path: '/_sandbox/switches',
    body: switchChanges,
    response: switchList,
    run(state, { body }) {
      state.switches = { ...state.switches, ...body }
      writeSetting(state.db, 'switches', state.switches)
      return listSwitches(state.switches)
    },
  }),
]

/** An injected fault with its id; `count` is the number of requests left. */
const faultRecord: z.ZodType<Fault> = faultSchema.and(z.object({ id: z.int() }))

export const faultControls: readonly Operation[] = [
  control({
    name: 'listFaults',
    summary: 'List active faults',
    method: 'get',
    path: '/_sandbox/faults',
    response: z.array(faultRecord),
    run: (state) => state.faults.list(),
  }),
  control({
    name: 'addFault',
    summary: 'Inject a fault: latency, status, reset, stall or malformed',
    method: 'post',
    path: '/_sandbox/faults',
    body: faultSchema,
    status: 201,
    response: faultRecord,
    run: (state, { body }) => state.faults.add(body),
  }),
  command({
    name: 'clearFaults',
    summary: 'Remove all faults',
    method: 'delete',
    path: '/_sandbox/faults',
    run(state) {
      state.faults.clear()
      return 'No faults are left.'
    },
  }),
  command({
    name: 'removeFault',
    summary: 'Remove one fault',
    method: 'delete',
    path: '/_sandbox/faults/:id',
    run(state, { path }) {
      if (!state.faults.remove(Number(path.id))) throw notFound('There is no such fault.')
      return 'The fault is gone.'
    },
  }),
]
