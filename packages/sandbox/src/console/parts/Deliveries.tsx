/** How far a webhook has come, and a button that sends it again. */
import type { JSX } from 'preact'
import type { ConsoleDelivery } from '../protocol.ts'
import type { Act } from '../useConsole.ts'
import { addressOf } from '../usePlace.ts'
import { Badge, type Tone } from './Badge.tsx'

const tones: Record<ConsoleDelivery['status'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'waiting',
}

export function DeliveryStatus({ status }: Pick<ConsoleDelivery, 'status'>): JSX.Element {
  return <Badge tone={tones[status]}>{status}</Badge>
}

export function Redeliver({ id, act }: { id: string; act: Act }): JSX.Element {
  return (
    <button type="button" class="quiet" onClick={() => act('POST', `webhooks/deliveries/${id}/redeliver`)}>
      Redeliver
    </button>
  )
}

/** Those of one order, the newest first. */
export function Deliveries({ deliveries, act }: { deliveries: ConsoleDelivery[]; act: Act }): JSX.Element {
  if (deliveries.length === 0) return <p class="hint">No webhook was sent about it.</p>
  return (
    <ul class="list" aria-label="Webhooks">
      {deliveries.map(({ id, status, answer, attempts, url }) => (
        <li key={id}>
          <DeliveryStatus status={status} />
          <Redeliver id={id} act={act} />
          <a href={addressOf('webhooks', id)}>
            {answer || 'no answer yet'}
            {attempts > 1 && ` after ${attempts} attempts`}
          </a>
          <span class="hint">{url}</span>
        </li>
      ))}
    </ul>
  )
}
