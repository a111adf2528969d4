/** What the command line can do. */
import { declineOf } from '../client/declines.ts'
import type { Order, User } from '../client/wire.ts'
import { deadLetters } from './deadLetters.ts'
import { doctor } from './doctor.ts'
import type { Command, Report } from './report.ts'
import { dim, table } from './report.ts'
import { serve } from './serve.ts'

const order: Command = async ({ client, flags }) => {
  const { transactions } = client()
  const query = { order_id: flags['order-id'], custom_id: flags['custom-id'], hash: flags.hash }
  const found = await transactions.retrieve(query as Parameters<typeof transactions.retrieve>[0])
  return report(describeOrder(found, flags.show))
}

const user: Command = async ({ client, flags }) => {
  const { users } = client()
  const query = { user_id: flags['user-id'], email: flags.email }
  const found = await users.retrieve(query as Parameters<typeof users.retrieve>[0])
  return report(describeUser(found, flags.show))
}

export const commands: Readonly<Record<string, Command>> = {
  doctor,
  order,
  user,
  'dead-letters': deadLetters,
  serve,
}

/** What of an order is neither secret nor personal. */
const orderColumns = [
  'id',
  'type',
  'custom_id',
  'product_id',
  'base',
  'base_amount',
  'quote',
  'quote_amount',
] as const

function describeOrder(order: Order, show: readonly string[]): Record<string, string> {
  const decline = declineOf(order)
  return {
    ...only(order, orderColumns, show),
    ...(decline ? { decline: `${decline.code} ${decline.reason}` } : {}),
  }
}

function describeUser(
  { limits, linked_payment_methods, ...user }: User,
  show: readonly string[],
): Record<string, string> {
  const cards = linked_payment_methods.flatMap(({ method, cards }) =>
    cards.map(({ brand, last_digits }) => `${method} ${brand ?? ''} ${last_digits ?? ''}`.trim()),
  )
  return {
    ...only(user, ['user_id', 'fkyc_status', 'lkyc_status', 'created_at'], show),
    ...only(limits, Object.keys(limits), []),
    cards: cards.join(', '),
  }
}

/** The text fields that may be seen, and those that were asked for by name. */
function only(record: object, seen: readonly string[], show: readonly string[]): Record<string, string> {
  const fields = Object.entries(record).filter(([name]) => seen.includes(name) || show.includes(name))
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function report(data: Record<string, string>): Report {
  const rows = Object.entries(data).map(([name, value]) => [dim(name), value])
  return { data, text: table(rows), ok: true }
}
