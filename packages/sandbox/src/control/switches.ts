/** Lists and changes the switches. */
import { z } from 'zod'
import type { ConsoleSwitch } from '../console/protocol.ts'
import { control, type Operation } from '../service/operation.ts'
import { listSwitches, switchChanges, switchNames } from '../simulation/switches.ts'
import { writeSetting } from '../state/database.ts'

const value = z.union([z.string(), z.number(), z.boolean()])

const switchList: z.ZodType<ConsoleSwitch[]> = z.array(
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
    summary: 'Everything that the interface leaves open, and which side is taken',
    method: 'get',
    path: '/_sandbox/switches',
    response: switchList,
    run: (state) => listSwitches(state.switches),
  }),
  control({
    name: 'patchSwitches',
    summary: 'Flip switches by name',
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
