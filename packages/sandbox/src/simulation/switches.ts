/**
 * Everything that the interface leaves open, as switches with both sides. `row` is the row of docs/assumptions.md.
 * The first value is the default.
 */
import { z } from 'zod'

export const switchTable = {
  tokenResponse: {
    row: 'U1',
    description: 'The format of the answer to creating a token.',
    values: ['accessToken', 'access_token', 'token', 'nested', 'nestedTwice', 'bare', 'unrecognized'],
  },
  expiryResponse: {
    row: 'U2',
    description: 'The format of the answer about a token’s expiry.',
    values: ['expire_date', 'expireDate', 'expires_at', 'expiresAt', 'nested', 'bare', 'unrecognized'],
  },
  infiniteExpiry: {
    row: 'U2',
    description: 'The expiry of a token that never expires.',
    values: ['infinite', 'null'],
  },
  orderHistory: {
    row: 'U3',
    description: 'An array of orders, or an object that contains it.',
    values: ['array', 'orders', 'data', 'envelope'],
  },
  orderFields: {
    row: 'U3',
    description: 'Whether an order’s fields without a value are empty strings or absent.',
    values: ['all', 'filled'],
  },
  subscriptionResponse: {
    row: 'U4',
    description: 'One subscription (the newest that matches), all of them, or all of them in an object.',
    values: ['one', 'array', 'data'],
  },
  dateFormat: {
    row: 'U5',
    description: 'The format of a token’s expiry and of a subscription’s dates.',
    values: ['iso', 'epochSeconds', 'epochMilliseconds', 'unrecognized'],
  },
  errorShape: {
    row: 'U6',
    description:
      'A refusal: an HTTP status with a body, a body with status 200, a nested body with status 200, or plain text.',
    values: ['status', 'ok', 'okNested', 'text'],
  },
  declineCode: {
    row: 'U7',
    description:
      'Where a failed order has its code: alone in fail_reason, inside its text, or in another field.',
    values: ['failReason', 'failReasonText', 'code', 'error_code', 'none'],
  },
  refreshInvalidates: {
    row: 'U8',
    description: 'Whether creating a token ends the previous tokens.',
    values: [false, true],
  },
  tokenOpens: {
    row: 'U9',
    description: 'Which orders a token opens: all of the business, or those bought with this token.',
    values: ['business', 'ownOrders'],
  },
  widgetParams: {
    row: 'U10',
    description: 'Whether the widget page reads the order fields among its query parameters.',
    values: ['orderFields', 'ignored'],
  },
  postsMessages: {
    row: 'U11',
    description: 'Whether the widget page posts messages to its parent and opener.',
    values: [false, true],
  },
  redirectTarget: {
    row: 'U12',
    description:
      'Where the return address opens: as redirect_page says, always as self, always as new, or nowhere.',
    values: ['byOrder', 'self', 'new', 'none'],
  },
  webhookPayload: {
    row: 'U13',
    description: 'The shape of a webhook: nested under data, flat, or the order record itself.',
    values: ['nested', 'flat', 'record'],
  },
  webhookDelivery: {
    row: 'U13',
    description: 'How often each webhook is delivered.',
    values: ['once', 'twice'],
  },
  statuses: {
    row: 'U14',
    description: 'Whether type and the statuses have known or unknown values.',
    values: ['known', 'unlisted'],
  },
  regionLists: {
    row: 'U15',
    description:
      'Which countries and states are on the service’s lists: all, or three countries and four states.',
    values: ['iso', 'short'],
  },
  rateLimit: {
    row: 'U16',
    description:
      'What happens to more than ten requests per second of one operation: an answer, or 429 with or without Retry-After.',
    values: ['none', 'retryAfter', 'bare'],
  },
  userOperations: {
    row: 'U17',
    description: 'Where the two user operations are: at the base address, or only under its /users-host.',
    values: ['baseUrl', 'usersHost'],
  },
  returnQuery: {
    row: 'U19',
    description:
      'What is added to a return address: nothing, the order’s ids, or a query that can’t be read.',
    values: ['none', 'order', 'malformed'],
  },
  userKeyHeader: {
    row: 'U20',
    description:
      'Whether creating a user requires the api-key header that section 4.6 lists besides the body’s api_key.',
    values: ['required', 'optional'],
  },
  hashLookup: {
    row: 'U21',
    description: 'Whether hash alone identifies a transaction.',
    values: ['accepted', 'refused'],
  },
  returnAddresses: {
    row: 'U22',
    description:
      'The return addresses on an order: as given, cut, with the order’s ids in their query, or absent.',
    values: ['asGiven', 'cutAt255', 'withQuery', 'absent'],
  },
  amounts: {
    row: 'U23',
    description:
      'The amounts on an order: as requested, rounded (fiat to 1, crypto to 0.0001), or with fees of 3.5 % on the fiat amount.',
    values: ['asGiven', 'rounded', 'withFees'],
  },
  retryAfterDecline: {
    row: 'U25',
    description: 'Whether another attempt after a decline is a new order or continues the failed one.',
    values: ['newOrder', 'sameOrder'],
  },
  renewalAddresses: {
    row: 'U26',
    description:
      'The return addresses and redirect_page of a renewal’s order: empty, or those of the first order.',
    values: ['blank', 'copied'],
  },
  missingRedirectPage: {
    row: 'U27',
    description: 'Where the return address opens without redirect_page.',
    values: ['self', 'new'],
  },
  lookup: {
    row: 'U28',
    description:
      'Whether an order or a subscription must match all identifiers of a request, or any of them.',
    values: ['all', 'any'],
  },
  keyPermission: {
    row: '5.3',
    description: 'Whether the API key may read subscriptions and transactions.',
    values: ['granted', 'missing'],
  },
  paymentMs: {
    row: '3',
    description: 'How many milliseconds a payment stays payment_started.',
    values: [0, 500, 2000, 10_000],
  },
  coop: {
    row: 'page',
    description: 'The widget page’s Cross-Origin-Opener-Policy.',
    values: ['none', 'same-origin', 'same-origin-allow-popups'],
  },
  xFrameOptions: {
    row: 'page',
    description: 'The widget page’s X-Frame-Options.',
    values: ['none', 'DENY', 'SAMEORIGIN'],
  },
  frameAncestors: {
    row: 'page',
    description: 'The frame-ancestors of the widget page’s Content-Security-Policy.',
    values: ['any', 'none', 'self'],
  },
} as const

export type SwitchName = keyof typeof switchTable
export type Switches = {
  -readonly [Name in SwitchName]: (typeof switchTable)[Name]['values'][number]
}

// The table's keys are exactly the switch names.
export const switchNames = Object.keys(switchTable) as readonly SwitchName[]

export const defaultSwitches = (): Switches =>
  // Built row by row from the table, so each name has one of its own values.
  Object.fromEntries(switchNames.map((name) => [name, switchTable[name].values[0]])) as Switches

/** A partial set of switches, each with one of its values. */
export const switchChanges = z.strictObject(
  Object.fromEntries(
    switchNames.map((name) => {
      const { values, description } = switchTable[name]
      return [
        name,
        z
          .literal([...values])
          .exactOptional()
          .describe(description),
      ]
    }),
  ),
) as z.ZodType<Partial<Switches>> // for the same reason

type Value = string | number | boolean

export interface SwitchReading {
  name: SwitchName
  row: string
  description: string
  values: readonly Value[]
  default: Value
  value: Value
}

export const listSwitches = (current: Switches): SwitchReading[] =>
  switchNames.map((name) => {
    const { row, description, values } = switchTable[name]
    return { name, row, description, values, default: values[0], value: current[name] }
  })
