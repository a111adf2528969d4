/** Lists subscriptions. */
import type { JSX } from 'preact'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Json, Links, type Tone } from '../parts/Detail.tsx'
import type { ConsoleSubscription } from '../protocol.ts'
import type { ViewProps } from '../useConsole.ts'

const tones: Record<ConsoleSubscription['status'], Tone> = {
  active: 'good',
  canceled: 'neutral',
  expired: 'bad',
}

const columns: Column<ConsoleSubscription>[] = [
  { title: 'State', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { title: 'Product', cell: ({ product_id }) => product_id },
  { title: 'Interval', cell: ({ interval_time }) => interval_time },
  { title: 'Next paid', cell: ({ next_paid_date }) => next_paid_date.slice(0, 10) },
  { title: 'Expires', cell: ({ expire_date }) => expire_date.slice(0, 10) },
  {
    title: 'Last payment',
    cell: ({ failed_to_paid }) => (failed_to_paid ? <Badge tone="bad">failed</Badge> : 'paid'),
  },
  { title: 'User', cell: ({ user_id }) => <code>{user_id}</code> },
]

export function Subscriptions({ state, find }: ViewProps): JSX.Element {
  return (
    <DataTable
      label="Subscriptions"
      rows={state.subscriptions}
      columns={columns}
      find={find}
      detail={(subscription) => (
        <>
          <Links links={[{ text: 'Orders of this user', view: 'orders', find: subscription.user_id }]} />
          <Json title="Subscription" value={subscription} />
        </>
      )}
      keyOf={({ user_id, product_id, next_paid_date }) => user_id + product_id + next_paid_date}
      empty="No subscriptions yet. Buy club-monthly, then move the clock on by a month and see it renew."
    />
  )
}
