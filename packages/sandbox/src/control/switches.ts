/** Lists and changes the switches. */
import { z } from 'zod'
import type { ConsoleSwitch } from '../console/protocol.ts'
import { control, type Operation } from '../service/operation.ts'
import { changeSwitches, listSwitches, switchNames, switchTable } from '../simulation/switches.ts'
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

/** Any subset of the switches, each with one of its values. */
const changes: z.ZodType<Record<string, unknown>> = z
  .object(
    Object.fromEntries(
      switchNames.map((name) => [
        name,
        z
          .literal([...switchTable[name].values])
          .optional()
          .describe(switchTable[name].description),
      ]),
    ),
  )
  .strict()

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
    body: changes,
    response: switchList,
    run(state, { body }) {
      state.switches = changeSwitches(state.switches, body)
      writeSetting(state.db, 'switches', state.switches)
      return listSwitches(state.switches)
    },
  }),
]
