/** The shopper's subscriptions, as the service has them. */
import type { ReactNode } from 'react'
import { findProduct } from '../../catalogue.ts'

export interface Subscription {
  product_id?: string
  start_date?: string
  next_paid_date?: string
  failed_to_paid?: boolean
  next_paid?: boolean
  interval_time?: string
}

/** As the widget writes days. */
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

export function Subscriptions({ list }: { list: readonly Subscription[] }): ReactNode {
  return (
    <>
      <h2>Subscriptions</h2>
      {list.length === 0 && <p className="account-note">You have none.</p>}
      <ul className="account-cards">
        {list.map((subscription) => (
          <li key={`${subscription.product_id} ${subscription.start_date}`}>
            <strong>{findProduct(subscription.product_id)?.name ?? subscription.product_id}</strong>{' '}
            {describe(subscription)}
          </li>
        ))}
      </ul>
    </>
  )
}

function describe({ next_paid, next_paid_date, failed_to_paid, interval_time }: Subscription): string {
  if (failed_to_paid) return 'The last payment failed.'
  if (!next_paid) return 'Does not renew.'
  const next = next_paid_date ? `, next on ${day.format(new Date(next_paid_date))}` : ''
  return `${interval_time ?? 'Renews'}${next}`
}
