/** What a sandbox starts with, beside nothing: from a file or from a test. */
import type { Switches } from '../simulation/switches.ts'

export interface Seed {
  /** Shoppers, by e-mail address; `fullKyc` gives them the higher limits. */
  users?: { email: string; fullKyc?: boolean | undefined }[] | undefined
  /** Orders, bought one after the other. `card_number` is the test card that succeeds unless given. */
  purchases?:
    | { email: string; card_number?: string | undefined; params?: Record<string, string> | undefined }[]
    | undefined
  /** What is not the default. */
  switches?: Partial<Switches> | undefined
  /** Webhook targets. They hear of what comes after, not of the seed itself. */
  webhooks?: string[] | undefined
}
