/** The shopper's orders from the service, and whether the shop has delivered them. */
import type { OrderSummary } from '@purchase-widget/loader'
import { type ReactNode, useEffect, useState } from 'react'
import { findProduct } from '../catalogue.ts'
import type { Fulfilled } from '../exchange.ts'
import { Artwork } from './Artwork.tsx'

interface Loaded {
  orders: OrderSummary[]
  fulfilled: Fulfilled
}

/** @throws Error with the message of the shop's server. */
async function readJson<Data>(path: string): Promise<Data> {
  const response = await fetch(path)
  const body = await response.json().catch(() => null)
  if (response.ok) return body
  throw new Error(body?.error?.message ?? `The shop’s server answered ${response.status}.`)
}

/** Loads both together: a delivered order must not briefly appear as undelivered. */
async function load(): Promise<Loaded> {
  const [{ orders }, fulfilled] = await Promise.all([
    readJson<Pick<Loaded, 'orders'>>('/api/purchase-widget/orders'),
    readJson<Fulfilled>('/api/shop/deliveries'),
  ])
  return { orders, fulfilled }
}

export function Orders(): ReactNode {
  const [loaded, setLoaded] = useState<Loaded>()
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    load().then(setLoaded, (error: Error) => setRefusal(error.message))
  }, [])
  return (
    <section className="orders">
      <h1>Orders</h1>
      <p className="orders-lead">
        As the service has them, read by the shop’s server. What is paid as it was sold is delivered, once for
        each order.
      </p>
      <p role="alert">{refusal}</p>
      {!loaded && !refusal && <p className="busy">Reading your orders…</p>}
      {loaded?.orders.length === 0 && (
        <p>
          Nothing yet. <a href="/">Buy something</a>
        </p>
      )}
      <ul>
        {loaded?.orders.map((order) => (
          <li key={order.id}>
            <OrderRow order={order} note={noteOf(order, loaded.fulfilled)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OrderRow({ order, note }: { order: OrderSummary; note: string }): ReactNode {
  return (
    <article className="order">
      <span className="stage">
        <Artwork productId={order.product_id ?? ''} />
      </span>
      <div>
        <h2>{findProduct(order.product_id)?.name ?? order.product_id ?? 'Something'}</h2>
        <p className="order-id">
          <code>{order.id}</code>
        </p>
      </div>
      <p className="order-amount">
        {order.quote_amount} {order.quote}
      </p>
      <p className="order-state">
        <span data-type={order.type}>{order.type.replaceAll('_', ' ')}</span>
        <span className="order-note">{note}</span>
      </p>
    </article>
  )
}

function noteOf({ id, type, decline }: OrderSummary, { delivered, held }: Fulfilled): string {
  if (decline) return `${decline.reason} ${decline.action}`
  if (delivered.includes(id)) return 'Delivered'
  if (held.includes(id)) return 'Not as sold, so not delivered. The shop will review it.'
  return type === 'order_complete' ? 'On its way to you' : ''
}
