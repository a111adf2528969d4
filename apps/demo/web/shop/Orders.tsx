/** The shopper's orders as the service has them, and whether the shop has delivered what they paid for. */
import type { OrderSummary } from '@purchase-widget/loader'
import type { ReactNode } from 'react'
import { findProduct } from '../../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Link } from './Link.tsx'
import { useJson } from './useJson.ts'
import './orders.css'

/** What the shop did about an order that was paid. */
type Fulfilment = 'delivered' | 'held' | 'due'

export function Orders(): ReactNode {
  const orders = useJson<{ orders: OrderSummary[] }>('/api/purchase-widget/orders')
  const deliveries = useJson<Fulfilled>('/api/shop/deliveries')
  const failure = [orders, deliveries].find((each) => each.status === 'failed')
  return (
    <section className="orders">
      <h1>Orders</h1>
      <p className="orders-lead">
        As the service has them, read by the shop’s server. What is paid as it was sold is delivered, once for
        each order.
      </p>
      {failure?.status === 'failed' && <p role="alert">{failure.message}</p>}
      {/* Both at once: a delivered order must not read for a moment as if it were on its way. */}
      {!failure && (orders.status === 'loading' || deliveries.status === 'loading') && (
        <p className="busy">Reading your orders…</p>
      )}
      {orders.status === 'loaded' && deliveries.status === 'loaded' && (
        <OrderList listed={orders.data.orders} fulfilled={deliveries.data} />
      )}
    </section>
  )
}

/** What the shop's server has done about the shopper's orders. */
interface Fulfilled {
  delivered: { orderId: string; productId: string }[]
  held: string[]
}

function OrderList({ listed, fulfilled }: { listed: OrderSummary[]; fulfilled: Fulfilled }): ReactNode {
  function fulfilmentOf({ id }: OrderSummary): Fulfilment {
    if (fulfilled.delivered.some(({ orderId }) => orderId === id)) return 'delivered'
    return fulfilled.held.includes(id) ? 'held' : 'due'
  }

  /** The service lists the orders of one id; what was delivered to the guests that a member was is known to the shop. */
  const former = fulfilled.delivered
    .filter(({ orderId }) => !listed.some(({ id }) => id === orderId))
    .map(({ orderId, productId }) => ({
      id: orderId,
      type: 'order_complete',
      product_id: productId,
      decline: null,
    }))

  const shown: readonly OrderSummary[] = [...listed, ...former]
  if (shown.length === 0)
    return (
      <p>
        Nothing yet. <Link href="/">Buy something</Link>
      </p>
    )
  return (
    <ul>
      {shown.map((order) => (
        <li key={order.id}>
          <OrderRow order={order} fulfilment={fulfilmentOf(order)} />
        </li>
      ))}
    </ul>
  )
}

function OrderRow({ order, fulfilment }: { order: OrderSummary; fulfilment: Fulfilment }): ReactNode {
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
        <span className="order-note">{noteOf(order, fulfilment)}</span>
      </p>
    </article>
  )
}

/** What is said about an order that was paid. */
const fulfilmentNotes: Record<Fulfilment, string> = {
  delivered: 'Delivered',
  held: 'Not as sold, so not delivered. The shop will look at it.',
  due: 'On its way to you',
}

function noteOf(order: OrderSummary, fulfilment: Fulfilment): string {
  if (order.decline) return `${order.decline.reason} ${order.decline.action}`
  return order.type === 'order_complete' ? fulfilmentNotes[fulfilment] : ''
}
