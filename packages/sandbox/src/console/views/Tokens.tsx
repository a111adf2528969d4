/** Lists access tokens, masked. */
import type { JSX } from 'preact'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Badge, type Tone } from '../parts/Detail.tsx'
import type { ConsoleToken } from '../protocol.ts'
import type { ViewProps } from '../useConsole.ts'

const tones: Record<ConsoleToken['status'], Tone> = { live: 'good', expired: 'bad', replaced: 'neutral' }

const columns: Column<ConsoleToken>[] = [
  { title: 'State', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { title: 'Token', cell: ({ token }) => <code>{token}</code> },
  { title: 'Expires', cell: ({ expires_at }) => expires_at?.replace('T', ' ').slice(0, 16) ?? 'never' },
]

export function Tokens({ state }: ViewProps): JSX.Element {
  return (
    <DataTable
      label="Tokens"
      rows={state.tokens}
      columns={columns}
      keyOf={({ token, expires_at }) => token + expires_at}
      empty="No tokens yet. A server makes one with POST /api/widget/refresh/access_token."
    />
  )
}
