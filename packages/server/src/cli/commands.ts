/** What the command line can do. Each command gives what `--json` prints and what a person reads. */
import { styleText } from 'node:util'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { declineOf } from '../client/declines.ts'
import { runDoctor } from '../doctor/runDoctor.ts'
import { InvalidInputError } from '../errors.ts'
import type { Checkup } from '../doctor/pageHeaders.ts'
import type { ExpirationDays, Order, OrderRecord, User } from '../client/wire.ts'
import { table } from './table.ts'

/** The options of all commands, as typed. */
export interface Flags {
  days?: string | undefined
  'order-id'?: string | undefined
  'custom-id'?: string | undefined
  'user-id'?: string | undefined
  email?: string | undefined
  hash?: string | undefined
  all?: boolean | undefined
  'no-token'?: boolean | undefined
  /** Names of fields to print although they are secret or personal. */
  show: string[]
}

export interface Report {
  data: unknown
  text: string
  ok: boolean
}

export type Command = (client: PurchaseClient, flags: Flags) => Promise<Report>

const doctor: Command = async (client, flags) => {
  const diagnosis = await runDoctor({ client, createTokens: !flags['no-token'] })
  const lines = Object.entries(diagnosis.pageNeeds).map(([header, value]) => `  ${header}: ${value}`)
  const text = [
    table(diagnosis.checks.map(({ name, result, detail }) => [mark(result), name, detail])),
    '',
    'Your page needs, beside what it has:',
    ...lines,
    '',
    "Your return page may load in the widget's frame: let it be framed, with frame-ancestors 'self' if it names any.",
  ].join('\n')
  return { data: diagnosis, text, ok: diagnosis.healthy }
}

const token: Command = async (client, { days = '7', show }) => {
  const { accessToken } = await client.accessTokens.create({ expirationDays: days as ExpirationDays })
  const { expiresAt } = await client.accessTokens.expireDate(accessToken)
  return report({ ...only({ accessToken }, [], show), expiresAt: expiresAt?.toISOString() ?? 'never' })
}

const orders: Command = async (client, flags) => {
  const filter = { order_id: flags['order-id'], custom_id: flags['custom-id'] }
  if (!flags.all && filter.order_id === undefined && filter.custom_id === undefined) {
    throw new InvalidInputError(
      'orders',
      'give --order-id or --custom-id, or --all for every order of the business',
    )
  }
  const { accessToken } = await client.accessTokens.create({ expirationDays: '7' })
  const found = flags.all
    ? await client.orders.listAll({ accessToken })
    : await client.orders.list({ accessToken, ...filter } as Parameters<typeof client.orders.list>[0])
  const rows = found.map((order) => describeOrder(order, flags.show))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => row[column] ?? ''))
  const text =
    rows.length > 0 ? table([columns.map((column) => styleText('dim', column)), ...cells]) : 'No orders.'
  return { data: rows, text, ok: true }
}

const order: Command = async (client, flags) => {
  const query = { order_id: flags['order-id'], custom_id: flags['custom-id'], hash: flags.hash }
  const found = await client.transactions.retrieve(
    query as Parameters<typeof client.transactions.retrieve>[0],
  )
  return report(describeOrder(found, flags.show))
}

const user: Command = async (client, flags) => {
  const query = { user_id: flags['user-id'], email: flags.email }
  const found = await client.users.retrieve(query as Parameters<typeof client.users.retrieve>[0])
  return report(describeUser(found, flags.show))
}

export const commands: Readonly<Record<string, Command>> = { doctor, token, orders, order, user }

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
  const rows = Object.entries(data).map(([name, value]) => [styleText('dim', name), value])
  return { data, text: table(rows), ok: true }
}

function mark(result: Checkup['result']): string {
  switch (result) {
    case 'ok':
      return styleText('green', 'ok')
    case 'note':
      return styleText('yellow', 'note')
    case 'failed':
      return styleText('red', 'failed')
    case 'skipped':
      return styleText('dim', 'skipped')
  }
}
