/** What the command line can do. */
import { declineOf } from '../client/declines.ts'
import type { ExpirationDays, Order, OrderRecord, User } from '../client/wire.ts'
import { InvalidInputError } from '../errors.ts'
import { deadLetters } from './deadLetters.ts'
import { doctor } from './doctor.ts'
import type { Command, Report } from './report.ts'
import { dim, table } from './report.ts'
import { serve } from './serve.ts'

const token: Command = async ({ client, flags: { days = '7', show } }) => {
  const { accessTokens } = client()
  const { accessToken } = await accessTokens.create({ expirationDays: days as ExpirationDays })
  const { expiresAt } = await accessTokens.expireDate(accessToken)
  return report({ ...only({ accessToken }, [], show), expiresAt: expiresAt?.toISOString() ?? 'never' })
}

const orders: Command = async ({ client, flags }) => {
  const filter = { order_id: flags['order-id'], custom_id: flags['custom-id'] }
  if (!flags.all && filter.order_id === undefined && filter.custom_id === undefined) {
    throw new InvalidInputError(
      'orders',
      'give --order-id or --custom-id, or --all for every order of the business',
    )
  }
  const { accessTokens, orders } = client()
  const { accessToken } = await accessTokens.create({ expirationDays: '7' })
  const found = flags.all
    ? await orders.listAll({ accessToken })
    : await orders.list({ accessToken, ...filter } as Parameters<typeof orders.list>[0])
  const rows = found.map((order) => describeOrder(order, flags.show))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => row[column] ?? ''))
  const text = rows.length > 0 ? table([columns.map(dim), ...cells]) : 'No orders.'
  return { data: rows, text, ok: true }
}

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
  token,
  orders,
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

function describeOrder(order: OrderRecord | Order, show: readonly string[]): Record<string, string> {
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
