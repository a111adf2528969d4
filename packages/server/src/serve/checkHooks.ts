/** Calls the shop's hooks as the service would, and as an unauthenticated caller would: for `doctor --serve`. It sells and delivers nothing. */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { startDeadline } from '../deadline.ts'
import { ask, type Checkup, failed, isAnswered, note, ok, type Subject } from '../doctor/checkup.ts'
import { isInvalidInputError } from '../errors.ts'
import { checkDecision } from '../purchase/begin.ts'
import { type CallHook, createCallHook, type HookCall, HookError, signed } from './hook.ts'
import { readAuthorizeAnswer, readCreatePurchaseAnswer } from './hooks.ts'
import type { Settings } from './settings.ts'

interface Hook extends Omit<HookCall, 'id'> {
  /** Throws `HookError` or `InvalidInputError` for an answer that does not fit the hook. */
  readonly read: (text: string) => unknown
}

/** An order that no shop delivers: it is unpaid, and belongs to no purchase. */
const unpaid = {
  order: { id: 'doctor', type: 'payment_started', custom_id: 'doctor', product_id: 'doctor' },
  purchase: { id: null, state: 'none', differences: [], params: {}, reference: null, begunAt: null },
}
const sale = { shopper: { customId: 'doctor' }, params: { product_id: 'doctor' } }
const nobody = { cookies: {}, authorization: null, address: null }

const TEN_MINUTES = 600_000

/** @returns three rows for each hook: an unsigned call, an old one, and one as the service makes it. */
export async function checkHooks(settings: Settings): Promise<Checkup[]> {
  const { secret } = settings.configuration
  const callHook = createCallHook(secret)
  const webhook = new Webhook(secret)
  const rows = hooksOf(settings).map(async (hook) => {
    const before = new Date(Date.now() - TEN_MINUTES)
    const old = signed(webhook, `doctor_${randomUUID()}`, before, JSON.stringify(hook.body))
    return [
      await refusesCall(hook, 'an unsigned call', {}),
      await refusesCall(hook, 'a call of ten minutes ago', old),
      await answersCall(hook, callHook),
    ]
  })
  return (await Promise.all(rows)).flat()
}

function hooksOf({ configuration: { url, authorize, createPurchase, onOrder } }: Settings): Hook[] {
  const readSale = (text: string): void => {
    const decided = readCreatePurchaseAnswer(text)
    if ('params' in decided) checkDecision(decided, url)
  }
  const all = [
    { ...authorize, name: 'authorize', body: nobody, read: readAuthorizeAnswer },
    { ...createPurchase, name: 'createPurchase', body: sale, read: readSale },
    { ...onOrder, name: 'onOrder', body: unpaid, read: () => {} },
  ] as const
  return all.filter((hook) => hook.url !== undefined) as Hook[]
}

const subjectOf = ({ name, url }: Hook, what: string, remedy: string): Subject => ({
  name: `${name}: ${what}`,
  setting: `${name}.url`,
  address: url,
  remedy,
})

async function refusesCall(hook: Hook, what: string, headers: Record<string, string>): Promise<Checkup> {
  const subject = subjectOf(
    hook,
    what,
    'verify webhook-id, webhook-timestamp and webhook-signature before anything else, and answer 403',
  )
  const deadline = startDeadline(hook.timeoutMs)
  const answer = await ask(deadline, subject, hook.url, {
    method: 'POST',
    body: JSON.stringify(hook.body),
    headers: { 'content-type': 'application/json', ...headers },
  }).finally(deadline.stop)
  if (!isAnswered(answer)) return { ...answer, remedy: 'start the shop, or correct the address' }
  const { status } = answer
  // The hook answers this to a genuine call without a session, too.
  if (hook.name === 'authorize' && status === 401)
    return note(
      subject,
      'answered 401, which does not show that it verifies calls. Answer 403 to a call that is not genuine',
    )
  if (status >= 300 && status < 500) return ok(subject, `refused with ${status}`)
  return failed(subject, status, `answered ${status}, and should be refused`)
}

async function answersCall(hook: Hook, callHook: CallHook): Promise<Checkup> {
  const subject = subjectOf(
    hook,
    'a call of the service',
    'compare the answer with docs/start-any-backend.md',
  )
  const startedAt = performance.now()
  try {
    const answer = await callHook({ ...hook, id: `doctor_${randomUUID()}` })
    if (answer !== null) hook.read(answer)
    const tookMs = Math.round(performance.now() - startedAt)
    const timing = `answered in ${tookMs} ms; the deadline is ${hook.timeoutMs} ms`
    return tookMs > hook.timeoutMs / 2 ? note(subject, timing) : ok(subject, timing)
  } catch (error) {
    if (!(error instanceof HookError) && !isInvalidInputError(error)) throw error
    return failed(subject, null, error.message)
  }
}
