/** Creates the initial data of a sandbox: users, purchases, switches and webhook targets. */
import { z } from 'zod'
import { invalid } from '../refusal.ts'
import { switchChanges } from '../simulation/switches.ts'
import { readSetting, writeSetting } from '../state/database.ts'
import { addTarget, listTargets, removeTarget } from '../state/deliveries.ts'
import { resetState } from '../state/snapshots.ts'
import type { Seed, State } from '../state/state.ts'
import { createToken } from '../state/tokens.ts'
import { findOrAddShopper, setFullKyc } from '../state/users.ts'
import { workingCard } from './cards.ts'
import { payAtOnce, startCheckout } from './checkout.ts'

const email = z.email('must be an e-mail address')

export const seedSchema: z.ZodType<Seed> = z.strictObject({
  users: z
    .array(z.strictObject({ email, fullKyc: z.boolean().optional() }))
    .max(10_000)
    .optional(),
  purchases: z
    .array(
      z.strictObject({
        email,
        card_number: z.string().optional(),
        params: z.record(z.string(), z.string().max(4000)).optional(),
      }),
    )
    .max(10_000)
    .optional(),
  switches: switchChanges.optional(),
  webhooks: z.array(z.url({ protocol: /^https?$/ })).optional(),
})

/**
 * Applies the seed to a new sandbox once: a database file that has it keeps it until the next reset. One that has only a part, since
 * its start failed, gets it anew.
 *
 * @throws Refusal naming the invalid value.
 */
export function plantSeed(state: State): void {
  if (!readSetting(state.db, 'seeded')) plant(state)
}

function plant(state: State): void {
  resetState(state)
  const { users = [], purchases = [], switches = {}, webhooks = [] } = state.options.seed
  for (const { email, fullKyc } of users)
    state.db.transaction(() => {
      const { user_id } = findOrAddShopper(state, email)
      if (fullKyc) setFullKyc(state, user_id, 'success')
    })
  for (const purchase of purchases) buy(state, purchase)
  state.switches = { ...state.switches, ...switches }
  writeSetting(state.db, 'switches', state.switches)
  for (const url of webhooks) addTarget(state, url)
  writeSetting(state.db, 'seeded', true)
}

function buy(
  state: State,
  { email, card_number = workingCard, params = {} }: NonNullable<Seed['purchases']>[number],
): void {
  const { token } = createToken(state, '7')
  const visit = startCheckout(state, { accessToken: token, params })
  const paid = payAtOnce(state, visit, { email, card_number, ...neverExpires, security_code: '123' })
  if (paid.step === 'identity') throw invalid('purchases', `${email} needs fullKyc for this purchase`)
}

/** The latest date that a two-digit year allows. */
const neverExpires = { expiry_date: '12/99' }

/** Registers the webhook given at the start, unless the database already has it. */
export function registerWebhook(state: State): void {
  const { webhook } = state.options
  if (!webhook || listTargets(state).some(({ url }) => url === webhook)) return
  addTarget(state, webhook)
}

/** Registers another webhook in place of the one given at the start. */
export function replaceWebhook(state: State, url: string): void {
  const before = listTargets(state).filter((target) => target.url === state.options.webhook)
  for (const { id } of before) removeTarget(state, id)
  state.options.webhook = url
  registerWebhook(state)
}

/** Restores the initial state including the seed; credentials stay as they are. */
export function startOver(state: State): void {
  plant(state)
  registerWebhook(state)
}
