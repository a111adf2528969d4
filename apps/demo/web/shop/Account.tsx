/** Who the shopper is to the shop and to the service, and what they may spend. */
import type { ReactNode } from 'react'
import { CreateUser } from './CreateUser.tsx'
import { Session, sessionPath } from './Session.tsx'
import { type Subscription, Subscriptions } from './Subscriptions.tsx'
import { useJson } from './useJson.ts'
import './account.css'

/** What the companion says about the shopper's widget user. */
interface User {
  user_id: string
  fkyc_status?: string
  lkyc_status?: string
  limits: Limits
  linked_payment_methods: { method: string; cards: { brand?: string; last_digits?: string }[] }[]
}

type LimitKind = 'digital_goods' | 'crypto'
type Limits = Partial<Record<`${LimitKind}_${'remaining' | 'spending'}`, string>>

export function Account(): ReactNode {
  const session = useJson<{ member: boolean }>(sessionPath)
  const { reload, ...user } = useJson<{ user: User }>('/api/purchase-widget/user')
  const subscriptions = useJson<{ subscriptions: Subscription[] }>('/api/purchase-widget/subscriptions')
  // All at once: what comes later would move what is being read.
  const isThere = [session, user, subscriptions].every(({ status }) => status !== 'loading')
  return (
    <section className="account">
      <h1>Account</h1>
      {!isThere && <p className="busy">Reading your account…</p>}
      {isThere && (
        <>
          {session.status === 'loaded' && <Session isMember={session.data.member} />}
          {user.status === 'loaded' && <Details user={user.data.user} />}
          {user.status === 'failed' && user.code === 'not_found' && <CreateUser onCreated={reload} />}
          {user.status === 'failed' && user.code !== 'not_found' && <p role="alert">{user.message}</p>}
          {subscriptions.status === 'loaded' && <Subscriptions list={subscriptions.data.subscriptions} />}
          {subscriptions.status === 'failed' && <p role="alert">{subscriptions.message}</p>}
        </>
      )}
    </section>
  )
}

function Details({ user }: { user: User }): ReactNode {
  const cards = user.linked_payment_methods.flatMap((method) => method.cards)
  return (
    <>
      <h2>Your account with the payment service</h2>
      <dl className="account-status">
        <div>
          <dt>Light identity check</dt>
          <dd>{user.lkyc_status ?? 'unknown'}</dd>
        </div>
        <div>
          <dt>Full identity check</dt>
          <dd>{user.fkyc_status ?? 'unknown'}</dd>
        </div>
        <div>
          <dt>Account number</dt>
          <dd>
            <code>{user.user_id}</code>
          </dd>
        </div>
      </dl>

      <h2>Limits</h2>
      <div className="account-limits">
        <Limit label="Digital goods" kind="digital_goods" limits={user.limits} />
        <Limit label="Crypto" kind="crypto" limits={user.limits} />
      </div>

      <h2>Cards</h2>
      {cards.length === 0 ? (
        <p className="account-note">None yet. A card is linked by the first purchase that it pays.</p>
      ) : (
        <ul className="account-cards">
          {cards.map(({ brand, last_digits }) => (
            <li key={`${brand} ${last_digits}`} className="card">
              {brand} ···· {last_digits}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Limit({ label, kind, limits }: { label: string; kind: LimitKind; limits: Limits }): ReactNode {
  const spent = Number(limits[`${kind}_spending`] ?? 0)
  const remaining = Number(limits[`${kind}_remaining`] ?? 0)
  return (
    <div className="limit">
      <p>
        <strong>{label}</strong>
        <span>
          {limits[`${kind}_spending`]} spent, {limits[`${kind}_remaining`]} left
        </span>
      </p>
      <div className="limit-bar" aria-hidden="true">
        <div style={{ width: `${(100 * spent) / (spent + remaining || 1)}%` }} />
      </div>
    </div>
  )
}
