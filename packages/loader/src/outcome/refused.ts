/** A link that the companion has refused: its page in the widget's place says so to the shopper, and this tells the merchant's page. */
import { widgetError } from '../errors.ts'
import { own } from '../own.ts'
import { type Run, sentenceOf, tellError } from '../run.ts'
import type { Answer, Refusal } from './answer.ts'
import { askOnce } from './confirm.ts'
import { LOADING } from './phases.ts'

/** What a refusal says, cut; undefined where it says anything else. */
export function parseRefusal(said: unknown): Refusal | undefined {
  const { code, message }: { code?: unknown; message?: unknown } = own(Object(said))
  return typeof code === 'string' && typeof message === 'string'
    ? { code: code.slice(0, 60), message: message.slice(0, 500) }
    : undefined
}

/** Asks the companion whether it has refused the link; a message that says so is only a hint. Resolves to whether it has. */
export async function findRefusal(run: Run): Promise<boolean> {
  const { ask, navigation, surface } = run
  const answer: Answer | null | undefined = ask && (await askOnce(ask, navigation.signal))
  const companion = parseRefusal(answer?.refused)
  if (!companion || run.phase !== LOADING) return false
  if (!run.failed) {
    run.failed = widgetError('token_failed', `GET /launch: ${companion.code}. ${companion.message}`, {
      companion,
    })
    tellError(run, run.failed)
  }
  // The refusal's own page is what the shopper reads in the widget's place.
  if (surface?.framed) surface.say()
  else surface?.say(sentenceOf(run, run.failed), {})
  return true
}
