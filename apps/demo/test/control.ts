/** The sandbox's control plane, as far as these tests need it. */

export interface Control {
  /** Pays without the widget's page, with a card that works; resolves to the order's id. */
  pay(params: Record<string, string>, email?: string): Promise<string>
  sendWebhooksTo(url: string): Promise<void>
  /** How many webhooks were accepted. */
  deliveredWebhooks(): Promise<number>
  /** Moves the sandbox's time forwards: subscriptions renew. */
  advanceDays(days: number): Promise<void>
  /** Makes every read of an order take so long. */
  delayReads(latencyMs: number): Promise<void>
  heal(): Promise<void>
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
    async sendWebhooksTo(url) {
      await send('POST', '/webhooks', { url })
    },
    async deliveredWebhooks() {
      const { deliveries } = (await (await send('GET', '/webhooks')).json()) as {
        deliveries: { status: string }[]
      }
      return deliveries.filter(({ status }) => status === 'delivered').length
    },
    async advanceDays(days) {
      await send('POST', '/clock', { advanceSeconds: days * 86_400 })
    },
    async delayReads(latencyMs) {
      await send('POST', '/faults', { operation: 'getTransaction', kind: 'latency', latencyMs })
    },
    async heal() {
      await send('DELETE', '/faults')
    },
  }
}
