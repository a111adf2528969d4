/**
 * Calls the shop's backend. Call and answer are signed with one secret, as in Standard Webhooks.
 *
 * - The answer's `webhook-id` is `answer_` and the call's: it rejects both an answer to another call and our own call, echoed.
 * - One deadline for the whole call, 64 KiB for the answer, no redirects: only the configured address is ever called.
 * - Messages say what was wrong with an answer, never what was in it.
 */
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { readAtMost } from '../client/request.ts'
import { codeOfFailure } from '../errors.ts'

export type HookName = 'authorize' | 'createPurchase' | 'onOrder'

export interface HookCall {
  readonly name: HookName
  readonly url: string
  readonly timeoutMs: number
  /** The call's `webhook-id`. */
  readonly id: string
  readonly body: object
  /** Headers of the shopper's request that the shop's own session needs. Not signed: the body contains them too. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the text of the answer; null for the 401 of `authorize`, which needs no signature, since it grants nothing. */
export type CallHook = (call: HookCall) => Promise<string | null>

/** A hook that failed or gave an invalid answer. The message contains no personal data. */
export class HookError extends Error {
  override readonly name = 'HookError'

  constructor(hook: HookName, problem: string) {
    super(`The ${hook} hook ${problem}`)
  }
}

const MAX_ANSWER_BYTES = 65_536

/** How many calls on behalf of requests may wait at once: a hook host that hangs must not fill the memory. */
export const MAX_CALLS = 256

/** @param secret `whsec_` and base64. */
export function createCallHook(secret: string): CallHook {
  const webhook = new Webhook(secret)
  let waiting = 0

  async function call(asked: HookCall): Promise<string | null> {
    const { name, url, timeoutMs, id, body, headers } = asked
    const payload = JSON.stringify(body)
    const request: RequestInit = {
      method: 'POST',
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'purchase-widget',
        ...signed(webhook, id, new Date(), payload),
      },
    }
    const response = await fetch(url, request).catch((error: unknown) => {
      // The shop may close a keep-alive connection just as it is reused, so retry once. A delivery is retried in any case.
      if (name === 'onOrder' || !closedCodes.includes(codeOfFailure(error) ?? '')) throw error
      return fetch(url, request)
    })
    if (!response.ok) {
      await response.body?.cancel()
      if (response.status === 401 && name === 'authorize') return null
      throw new HookError(name, `answered ${response.status}. Redirects are not followed.`)
    }
    const text = await readAtMost(response.body, MAX_ANSWER_BYTES)
    if (text === null) throw new HookError(name, `gave an answer of more than ${MAX_ANSWER_BYTES} bytes.`)
    verify(webhook, asked, text, response.headers)
    return text
  }

  return async (asked) => {
    const { name, timeoutMs } = asked
    if (name !== 'onOrder' && waiting >= MAX_CALLS) {
      throw new HookError(name, `was not called: ${MAX_CALLS} calls are waiting for answers.`)
    }
    waiting++
    try {
      return await call(asked)
    } catch (error) {
      throw error instanceof HookError ? error : new HookError(name, failureOf(error, timeoutMs))
    } finally {
      waiting--
    }
  }
}

/** The headers that sign a call. */
export const signed = (webhook: Webhook, id: string, at: Date, payload: string): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': webhook.sign(id, at, payload),
})

function verify(webhook: Webhook, { name, id }: HookCall, text: string, headers: Headers): void {
  try {
    webhook.verify(text, Object.fromEntries(headers), { jsonParse: false })
  } catch (error) {
    // The library's own sentence, such as "Missing required headers": it repeats nothing of the answer.
    const reason = error instanceof WebhookVerificationError ? error.message : 'No matching signature found'
    throw new HookError(
      name,
      `gave an answer that is not signed as it must be (${reason}): compare webhook-id, webhook-timestamp and webhook-signature, the secret, the clocks (five minutes at most), and the body as it was sent.`,
    )
  }
  if (headers.get('webhook-id') === `answer_${id}`) return
  throw new HookError(
    name,
    'gave the answer to another call: its webhook-id must be answer_ and the id of this one.',
  )
}

function failureOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs} ms.`
  const code = codeOfFailure(error)
  return `could not be reached${code ? ` (${code})` : ''}.`
}

const closedCodes: readonly string[] = ['ECONNRESET', 'UND_ERR_SOCKET']
