/** Calls the shop's hooks as the service would, and as an unauthenticated caller would: for `doctor --serve`. Nothing is sold or delivered by it. */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Checkup } from '../doctor/checkup.ts'
import { hookAddresses } from './companionFor.ts'
import { type CallHook, createCallHook, HookError, type HookName, signed } from './hook.ts'
import { readAuthorizeAnswer, readCreatePurchaseAnswer } from './hooks.ts'
import type { Settings } from './settings.ts'

interface Hook {
  readonly name: HookName
  readonly url: string
  readonly timeoutMs: number
  readonly body: object
  /** Throws `HookError` for another answer than the hook's. */
  readonly read: (text: string) => unknown
}

/** An order that no shop delivers: nobody has paid it, and no purchase is on it. */
const unpaid = {
  order: { id: 'doctor', type: 'payment_started', custom_id: 'doctor', product_id: 'doctor' },
  purchase: { id: null, state: 'none', differences: [], params: {}, reference: null, begunAt: null },
}

/** @returns three rows for each hook: an unsigned call, an old one, and one as the service makes it. */
export async function checkHooks(settings: Settings): Promise<Checkup[]> {
  const callHook = createCallHook(settings.secret)
  const old = ({ body }: Hook): Record<string, string> =>
    signed(new Webhook(settings.secret), `doctor_${randomUUID()}`, minutesAgo(10), JSON.stringify(body))
  const rows = hooksOf(settings).map(async (hook) => [
    await refusesCall(hook, 'an unsigned call', {}),
    await refusesCall(hook, 'a call of ten minutes ago', old(hook)),
    await answersCall(hook, callHook),
  ])
  return (await Promise.all(rows)).flat()
}

function hooksOf(settings: Settings): Hook[] {
  const { authorize, createPurchase, onOrder } = hookAddresses(settings)
  const sale = { shopper: { customId: 'doctor' }, params: { product_id: 'doctor' } }
  const nobody = { cookies: {}, authorization: null, address: null }
  return [
    ...(authorize
      ? [{ ...authorize, name: 'authorize' as const, body: nobody, read: readAuthorizeAnswer }]
      : []),
    ...(createPurchase
      ? [{ ...createPurchase, name: 'createPurchase' as const, body: sale, read: readCreatePurchaseAnswer }]
      : []),
    { ...onOrder, name: 'onOrder', body: unpaid, read: () => {} },
  ]
}

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

async function refusesCall(hook: Hook, what: string, headers: Record<string, string>): Promise<Checkup> {
  const name = `${hook.name}: ${what}`
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      body: JSON.stringify(hook.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(hook.timeoutMs),
      headers: { 'content-type': 'application/json', ...headers },
    })
    await response.body?.cancel()
    // What it says to a genuine call without a session, too.
    if (hook.name === 'authorize' && response.status === 401)
      return {
        name,
        result: 'note',
        detail:
          'answered 401, which does not show that it verifies calls. Answer 403 to a call that is not genuine',
      }
    if (!response.ok && response.status < 500)
      return { name, result: 'ok', detail: `refused with ${response.status}` }
    return failed(
      hook,
      name,
      response.status,
      `answered ${response.status}, and should be refused`,
      'verify webhook-id, webhook-timestamp and webhook-signature before anything else, and answer 403',
    )
  } catch {
    return failed(hook, name, null, 'was not answered', 'start the shop, or correct the address')
  }
}

async function answersCall(hook: Hook, callHook: CallHook): Promise<Checkup> {
  const name = `${hook.name}: a call of the service`
  const startedAt = performance.now()
  try {
    const answer = await callHook({ ...hook, id: `doctor_${randomUUID()}` })
    if (answer.status === 'ok') hook.read(answer.text)
    const tookMs = Math.round(performance.now() - startedAt)
    const isSlow = tookMs > hook.timeoutMs / 2
    return {
      name,
      result: isSlow ? 'note' : 'ok',
      detail: `answered in ${tookMs} ms; the deadline is ${hook.timeoutMs} ms`,
    }
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    return failed(hook, name, null, error.message, 'compare the answer with docs/start-any-backend.md')
  }
}

const failed = (
  { name: setting, url }: Hook,
  name: string,
  status: number | null,
  detail: string,
  remedy: string,
): Checkup => ({
  name,
  result: 'failed',
  detail,
  setting: `${setting}.url`,
  address: url,
  status,
  remedy,
})
