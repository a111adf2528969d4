/** A control that has nothing to show: it says in a sentence what is so now. */
import { z } from 'zod'
import { control, type Definition, type Operation } from '../service/operation.ts'

const done = z.object({ error: z.literal(false), message: z.string() }).meta({ id: 'Done' })

type Command = Omit<Definition<string, unknown, unknown, string>, 'response'>

export const command = ({ run, ...definition }: Command): Operation =>
  control({
    ...definition,
    response: done,
    async run(state, input) {
      return { error: false as const, message: await run(state, input) }
    },
  })
