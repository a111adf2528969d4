/** Says in the shopper's language why something was refused. The server's own messages are for developers. */
import type { Refusal } from './api.ts'
import type { Sentence, Words } from './language.ts'

/** The sentence of a field that this page knows. */
export const fieldSentences = {
  email: 'emailInvalid',
  card_number: 'cardInvalid',
  expiry_date: 'expiryInvalid',
  security_code: 'codeInvalid',
  camera: 'cameraNeeded',
  product_id: 'overLimit',
} as const satisfies Record<string, Sentence>

const isKnown = (field: string): field is keyof typeof fieldSentences => Object.hasOwn(fieldSentences, field)

export function sentenceFor({ reason, field }: Refusal, words: Words): string {
  if (reason === 'unanswered') return words.unreachable
  if (reason !== 'invalid') return words.startAgain
  return field && isKnown(field) ? words[fieldSentences[field]] : words.cannotSell
}
