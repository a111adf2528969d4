/** A shop's backend in another language, as `serve` sees it: three hooks with signed answers, or with those of a test. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from './http.ts'

export const hookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export interface HookRequest {
  path: string
  headers: IncomingHttpHeaders
  text: string
}

/** Answers one call in the shop's place. */
export type Misbehaviour = (request: HookRequest, response: ServerResponse) => void

export interface HookShop {
  url: string
  /** The received calls, oldest first. */
  calls: HookRequest[]
  /** Deliveries by their unique key. */
  delivered: Map<string, string>
  /** Null: it answers like a shop. */
  misbehave: Misbehaviour | null
  /** Answers a call like a shop. */
  behave: Misbehaviour
  close(): Promise<void>
}

/** Headers that sign a text. */
export function signed(
  id: string,
  text: string,
  at = new Date(),
  secret = hookSecret,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, text),
  }
}

/** Returns a signed answer to a call. */
export function answer({ headers }: HookRequest, response: ServerResponse, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(200, signed(`answer_${headers['webhook-id']}`, text)).end(text)
}

export async function startHookShop(): Promise<HookShop> {
  const calls: HookRequest[] = []
  const delivered = new Map<string, string>()
  const { url, close } = await listen(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const call = { path: request.url ?? '', headers: request.headers, text }
    calls.push(call)
    if (shop.misbehave) return shop.misbehave(call, response)
    if (!isGenuine(call)) return response.writeHead(403).end()
    shop.behave(call, response)
  })
  const shop: HookShop = {
    url,
    calls,
    delivered,
    misbehave: null,
    behave: (call, response) => behave(call, response, delivered),
    close,
  }
  return shop
}

function isGenuine({ text, headers }: HookRequest): boolean {
  try {
    new Webhook(hookSecret).verify(text, headers as Record<string, string>, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

function behave(call: HookRequest, response: ServerResponse, delivered: Map<string, string>): void {
  const body = JSON.parse(call.text)
  if (call.path === '/authorize') {
    const customId = body.cookies.shopper
    if (customId) answer(call, response, { customId })
    else response.writeHead(401).end()
  } else if (call.path === '/purchase') {
    const sold = {
      params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' },
      returnUrl: '/thanks',
    }
    answer(call, response, body.params.product_id === 'gold-100' ? sold : { refused: 'We do not sell that.' })
  } else {
    const { order, purchase } = body
    if (order.type === 'order_complete') delivered.set(String(call.headers['webhook-id']), purchase.state)
    answer(call, response, '')
  }
}
