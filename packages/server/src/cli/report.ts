/** What a command gets, and what it gives: what `--json` prints, and what a person reads. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'

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
  companion?: string | undefined
  page?: string | undefined
  order?: string | undefined
  module?: string | undefined
  config?: string | undefined
  serve?: string | undefined
  check?: boolean | undefined
  /** Names of fields to print although they are secret or personal. */
  show: string[]
}

export interface Call {
  /** From the environment, when it is needed. */
  client: () => PurchaseClient
  flags: Flags
  /** What follows the command's name. */
  words: readonly string[]
}

export interface Report {
  data: unknown
  text: string
  ok: boolean
}

export type Command = (call: Call) => Promise<Report>
