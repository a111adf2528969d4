/** The sandbox's control plane, as far as these tests need it. */

export interface Control {
  /** Pays without the widget's page, with a card that works; resolves to the order's id. */
  pay(params: Record<string, string>, email?: string): Promise<string>
  /** Moves the sandbox's time forwards: subscriptions renew. */
  advanceDays(days: number): Promise<void>
}

export function controlOf({ controlUrl }: { controlUrl: string }): Control {
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(controlUrl + path, {
      method,
      // A connection that is kept may be closed by the sandbox in the moment in which it is used again.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response
  }
  return {
    async pay(params, email) {
      const order = (await (await send('POST', '/purchases', { params, email })).json()) as { id: string }
      return order.id
    },
    async advanceDays(days) {
      await send('POST', '/clock', { advanceSeconds: days * 86_400 })
    },
  }
}
