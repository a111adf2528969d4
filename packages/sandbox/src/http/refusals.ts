/** Turns what was thrown into an answer. The shape of the service's own is not shown (U6). */
import type { Context } from 'hono'
import { Refusal } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import type { State } from '../state/state.ts'
import type { AppEnv } from './middleware.ts'

/** What a caller is told, whatever was thrown. An error of our own is a 500 without details; it goes to the log. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  console.error('The sandbox failed:', error)
  return new Refusal(500, 'The sandbox failed; its log says why.')
}

export const refusalBody = ({ message }: Refusal): { error: true; message: string } => ({
  error: true,
  message,
})

/** A refusal of one of the seven operations; its shape is not shown (U6). */
export function answerRefusal(c: Context<AppEnv>, state: State, refusal: Refusal): Response {
  const body = refusalBody(refusal)
  const shape: Switches['errorShape'] = state.switches.errorShape
  switch (shape) {
    case 'status':
      return c.json(body, refusal.status)
    case 'ok':
      return c.json(body, 200)
    case 'okNested':
      return c.json({ data: body }, 200)
    case 'text':
      return c.text(refusal.message, refusal.status)
  }
}
