/** The read-only lists: users with their limits, subscriptions, and masked access tokens. */
import type { JSX } from 'preact'
import type { ConsoleSubscription, ConsoleToken, ConsoleUser } from '../../control/state.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Json, Links, type Tone } from '../parts/Detail.tsx'
import type { ViewProps } from '../useConsole.ts'

const userColumns: Column<ConsoleUser>[] = [
  { title: 'Shopper', cell: ({ email }) => email },
  { title: 'Light KYC', cell: ({ lkyc_status }) => <Kyc status={lkyc_status} /> },
  { title: 'Full KYC', cell: ({ fkyc_status }) => <Kyc status={fkyc_status} /> },
  {
    title: 'Digital goods',
    cell: ({ limits }) => (
      <Limit spent={limits.digital_goods_spending} left={limits.digital_goods_remaining} />
    ),
  },
  {
    title: 'Crypto',
    cell: ({ limits }) => <Limit spent={limits.crypto_spending} left={limits.crypto_remaining} />,
  },
  { title: 'User', cell: ({ user_id }) => <code>{user_id}</code> },
]

export function Users({ state, find }: ViewProps): JSX.Element {
  return (
    <DataTable
      label="Users"
      rows={state.users}
      columns={userColumns}
      find={find}
      detail={(user) => (
        <>
          <Links links={[{ text: 'Orders of this user', view: 'orders', find: user.user_id }]} />
          <Json title="User" value={user} />
        </>
      )}
      keyOf={({ user_id }) => user_id}
      empty="No users yet. The first purchase makes one; so does create_widget_user."
    />
  )
}

function Kyc({ status }: { status: string }): JSX.Element {
  return <Badge tone={status === 'success' ? 'good' : 'neutral'}>{status}</Badge>
}

/** How much of a limit is spent. The bar is computed from the amounts, which are the service's own strings. */
function Limit({ spent, left }: { spent: string; left: string }): JSX.Element {
  return (
    <div class="limit">
      <meter min={0} max={Number(spent) + Number(left)} value={Number(spent)} aria-label="Spent" />
      <span>
        {spent} spent, {left} left
      </span>
    </div>
  )
}

const subscriptionTones: Record<ConsoleSubscription['status'], Tone> = {
  active: 'good',
  canceled: 'neutral',
  expired: 'bad',
}

const subscriptionColumns: Column<ConsoleSubscription>[] = [
  { title: 'State', cell: ({ status }) => <Badge tone={subscriptionTones[status]}>{status}</Badge> },
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
      columns={subscriptionColumns}
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

const tokenTones: Record<ConsoleToken['status'], Tone> = { live: 'good', expired: 'bad', replaced: 'neutral' }

const tokenColumns: Column<ConsoleToken>[] = [
  { title: 'State', cell: ({ status }) => <Badge tone={tokenTones[status]}>{status}</Badge> },
  { title: 'Token', cell: ({ token }) => <code>{token}</code> },
  { title: 'Expires', cell: ({ expires_at }) => expires_at?.replace('T', ' ').slice(0, 16) ?? 'never' },
]

export function Tokens({ state }: ViewProps): JSX.Element {
  return (
    <DataTable
      label="Tokens"
      rows={state.tokens}
      columns={tokenColumns}
      keyOf={({ token, expires_at }) => token + expires_at}
      empty="No tokens yet. A server makes one with POST /api/widget/refresh/access_token."
    />
  )
}
