/** Puts a refusal of the server into words for the shopper, without the names of fields. */
import type { Refusal } from './api.ts'

/** What a sentence about a field begins with. */
const subjects: Readonly<Record<string, string>> = {
  email: 'Email',
  card_number: 'Card number',
  expiry_date: 'Expiry date',
  security_code: 'Security code',
  camera: 'The camera',
  document: 'The document',
  product_id: 'This product',
}

/** `expiry_date: is in the past` becomes `Expiry date is in the past.` */
export function inWords({ message, field }: Refusal): string {
  if (!field || !message.startsWith(`${field}: `)) return message
  const subject = Object.hasOwn(subjects, field) ? subjects[field] : undefined
  return subject ? `${subject}${message.slice(field.length + 1)}.` : 'This can’t be used here.'
}
