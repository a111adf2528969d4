/** What can be made to go wrong, and what it takes at the sandbox's control plane. */
import type { Trouble } from '../troubles.ts'

/** A trouble, and what it takes at the sandbox's control plane. */
interface Recipe extends Omit<Trouble, 'on'> {
  faults?: readonly Record<string, unknown>[]
  switches?: Readonly<Record<string, string | number | boolean>>
}

const recipes: readonly Recipe[] = [
  {
    id: 'hiccup',
    name: 'Two calls in a row fail',
    expect: 'The server tries again. You notice nothing.',
    faults: [{ operation: 'getOrderHistory', kind: 'status', status: 503, count: 2 }],
  },
  {
    id: 'other-shapes',
    name: 'Answers come in other shapes',
    expect: 'The interface leaves shapes open, so the client reads them all. You notice nothing.',
    switches: { tokenResponse: 'nestedTwice', orderHistory: 'envelope', dateFormat: 'epochSeconds' },
  },
  {
    id: 'double-webhooks',
    name: 'Each webhook comes twice',
    expect: 'The goods are delivered once.',
    switches: { webhookDelivery: 'twice' },
  },
  {
    id: 'blind-popup',
    name: 'Popups cannot be observed',
    expect: 'Choose popup. A closed-looking window is not taken for a cancelled purchase.',
    switches: { coop: 'same-origin' },
  },
  {
    id: 'no-widget',
    name: 'The widget’s page never arrives',
    expect: 'After fifteen seconds the shopper is offered another try, and a window of its own.',
    faults: [{ operation: 'widgetPage', kind: 'stall' }],
  },
  {
    id: 'slow-payment',
    name: 'The payment takes ten seconds',
    expect: 'Nothing is called paid before the service says so.',
    switches: { paymentMs: 10_000 },
  },
  {
    id: 'broken-return',
    name: 'The return address arrives broken',
    expect: 'The server finds the order all the same.',
    switches: { returnQuery: 'malformed' },
  },
  {
    id: 'service-down',
    name: 'The service is down',
    expect: 'You get an error that says so, or a result that is not verified. Never a false one.',
    faults: [{ operation: '*', kind: 'status', status: 503 }],
  },
]

export interface Troubles {
  list(): Trouble[]
  /** @returns false when there is no such trouble. */
  set(id: string, on: boolean): Promise<boolean>
}

/** Makes trouble through the sandbox's control plane. What is on is kept here: the demo is the sandbox's only master. */
export function createTroubles(controlUrl: string): Troubles {
  const active = new Set<string>()

  async function control(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${await response.text()}`)
  }

  async function apply(): Promise<void> {
    const chosen = recipes.filter(({ id }) => active.has(id))
    await control('PATCH', '/switches', Object.assign({}, calm, ...chosen.map(({ switches }) => switches)))
    await control('DELETE', '/faults')
    for (const fault of chosen.flatMap(({ faults = [] }) => faults)) await control('POST', '/faults', fault)
  }

  return {
    list: () => recipes.map(({ id, name, expect }) => ({ id, name, expect, on: active.has(id) })),
    async set(id, on) {
      if (!recipes.some((recipe) => recipe.id === id)) return false
      if (on) active.add(id)
      else active.delete(id)
      await apply()
      return true
    },
  }
}

/** The value of each switch above when nothing is wrong. */
const calm = {
  tokenResponse: 'accessToken',
  orderHistory: 'array',
  dateFormat: 'iso',
  webhookDelivery: 'once',
  coop: 'none',
  paymentMs: 0,
  returnQuery: 'none',
}
