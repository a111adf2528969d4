/** Lists users with their limits. */
import type { JSX } from 'preact'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, Json, Links } from '../parts/Detail.tsx'
import type { ConsoleUser } from '../protocol.ts'
import type { ViewProps } from '../useConsole.ts'

const columns: Column<ConsoleUser>[] = [
  { title: 'Shopper', cell: ({ email }) => email },
  { title: 'Light KYC', cell: ({ lkyc_status }) => <Status status={lkyc_status} /> },
  { title: 'Full KYC', cell: ({ fkyc_status }) => <Status status={fkyc_status} /> },
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
      columns={columns}
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

function Status({ status }: { status: string }): JSX.Element {
  return <Badge tone={status === 'success' ? 'good' : 'neutral'}>{status}</Badge>
}

/** How much of a limit is spent. The bar is drawn from the amounts; the amounts are the service's own strings. */
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
