/** The answer of controls that have nothing to show. */
import { z } from 'zod'

/** The answer of a control that has nothing to show. */
export interface Done {
  error: false
  message: string
}

export const doneSchema: z.ZodType<Done> = z
  .object({ error: z.literal(false), message: z.string() })
  .meta({ id: 'Done' })

export const done = (message: string): Done => ({ error: false, message })
