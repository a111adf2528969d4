/** The sandbox's control plane, as far as these tests need it. */

export interface Control {
  /** A whole purchase without the page, of 100 gold unless told; resolves to the order's id. */
  buy(customId: string, purchase?: { id?: string; price?: string; email?: string }): Promise<string>
  sendWebhooksTo(url: string): Promise<void>
  /** How many webhooks were accepted. */
  deliveredWebhooks(): Promise<number>
  /** Makes every read of an order take so long. */
  delayReads(latencyMs: number): Promise<void>
  mend(): Promise<void>
}

export function controlOf({ controlUrl }: { controlUrl: string }): Control {
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response
  }
  return {
    async buy(customId, { id = 'gold-100', price = '0.99', email } = {}) {
      const params = { custom_id: customId, product_id: id, quote: 'USD', quote_amount: price }
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
    async delayReads(latencyMs) {
      await send('POST', '/faults', { operation: 'getTransaction', kind: 'latency', latencyMs })
    },
    async mend() {
      await send('DELETE', '/faults')
    },
  }
}
