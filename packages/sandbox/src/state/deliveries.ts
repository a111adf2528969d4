/** Pending webhooks, written in the same transaction as the change that they report. */
import type { DeliveryRow, TargetRow } from './rows.ts'
import type { State } from './state.ts'

export function addDelivery(
  state: State,
  delivery: { event: string; order_id: string; url: string; payload: unknown },
): DeliveryRow {
  const row: DeliveryRow = {
    ...delivery,
    id: state.newId(),
    payload: JSON.stringify(delivery.payload),
    status: 'pending',
    attempts: 0,
    created_at: state.clock.now(),
    answer: '',
    response: '',
    tried_at: null,
  }
  state.db.insert('webhook_deliveries', { ...row })
  state.onWebhookQueued(row.id)
  return row
}

export const listTargets = (state: State): TargetRow[] =>
  state.db.all<TargetRow>('select * from webhook_targets order by rowid')

export function addTarget(state: State, url: string): TargetRow {
  const row = { id: state.newId(), url }
  state.db.insert('webhook_targets', row)
  return row
}

export const removeTarget = (state: State, id: string): boolean =>
  state.db.run('delete from webhook_targets where id = ?', id) > 0

export const pendingDeliveries = (state: State): DeliveryRow[] =>
  state.db.all<DeliveryRow>("select * from webhook_deliveries where status = 'pending' order by id")

export const findDelivery = (state: State, id: string): DeliveryRow | undefined =>
  state.db.get<DeliveryRow>('select * from webhook_deliveries where id = ?', id)

export const listDeliveries = (state: State, limit: number): DeliveryRow[] =>
  state.db.all<DeliveryRow>('select * from webhook_deliveries order by id desc limit ?', limit)

export const saveDelivery = (state: State, row: DeliveryRow): void =>
  state.db.update('webhook_deliveries', 'id', { ...row })
