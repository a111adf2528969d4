import type { OrderSummary } from '@purchase-widget/loader'
import type { ReactNode } from 'react'
import { findProduct } from '../../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Link } from './Link.tsx'
import { useJson } from './useJson.ts'
import './orders.css'

interface Delivery {
  orderId: string
  deliveredAt: number
}

/** The shopper's orders as the service has them, and whether the shop has handed over what they paid for. */
export function Orders(): ReactNode {
  const orders = useJson<{ orders: OrderSummary[] }>('/api/purchase-widget/orders')
  const deliveries = useJson<Delivery[]>('/api/shop/deliveries')
  const delivered = new Set(
    deliveries.status === 'loaded' ? deliveries.data.map(({ orderId }) => orderId) : [],
  )
  return (
    <section className="orders">
      <h1>Orders</h1>
      <p className="orders-lead">
        As the service has them, read by the shop’s server. Goods are handed over once per order, by webhook.
      </p>
      {orders.status === 'loading' && <p>Reading…</p>}
      {orders.status === 'failed' && <p role="alert">{orders.message}</p>}
      {orders.status === 'loaded' && orders.data.orders.length === 0 && (
        <p>
          Nothing yet. <Link href="/">Buy something</Link>
        </p>
      )}
      {orders.status === 'loaded' && orders.data.orders.length > 0 && (
        <ul>
          {orders.data.orders.map((order) => (
            <li key={order.id}>
              <OrderRow order={order} delivered={delivered.has(order.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function OrderRow({ order, delivered }: { order: OrderSummary; delivered: boolean }): ReactNode {
  const name = findProduct(order.product_id)?.name ?? order.product_id ?? 'Something'
  return (
    <article className="order">
      <span className="stage">
        <Artwork productId={order.product_id ?? ''} />
      </span>
      <div>
        <h2>{name}</h2>
        <p className="order-id">
          <code>{order.id}</code>
        </p>
      </div>
      <p className="order-amount">
        {order.quote_amount} {order.quote}
      </p>
      <p className="order-state">
        <span data-type={order.type}>{order.type.replaceAll('_', ' ')}</span>
        <span className="order-note">{noteOf(order, delivered)}</span>
      </p>
    </article>
  )
}

function noteOf(order: OrderSummary, delivered: boolean): string {
  if (delivered) return 'Handed over'
  if (order.decline) return `${order.decline.reason} ${order.decline.action}`
  return order.type === 'order_complete' ? 'On its way to you' : ''
}
