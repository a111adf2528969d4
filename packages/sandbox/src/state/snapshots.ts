/** Reset, snapshot and restore: each covers all state except keys and tokens. */
import { randomBytes } from 'node:crypto'
import { notFound } from '../refusal.ts'
import { offsetTo } from '../simulation/clock.ts'
import { defaultSwitches, type Switches } from '../simulation/switches.ts'
import { readSetting } from './database.ts'
import type { Snapshot, State } from './state.ts'

/** How many are kept; the oldest is evicted first. */
export const snapshotsKept = 8

/**
 * Referencing tables come before the tables that they reference. Keys and tokens are not included: a server that keeps running
 * holds them, and would not learn that they are gone.
 */
const tables = [
  'webhook_deliveries',
  'webhook_targets',
  'checkouts',
  'subscriptions',
  'orders',
  'cards',
  'users',
]
const settings = "settings where name in ('clockOffset', 'switches', 'limits', 'seeded')"

export function resetState(state: State): void {
  state.db.transaction(() => empty(state))
  state.faults.clear()
  readBack(state)
}

/** Copies everything into memory, even when the state is in a file. */
export function takeSnapshot(state: State): Snapshot {
  const { db, snapshots } = state
  const oldest = snapshots.length < snapshotsKept ? undefined : snapshots.shift()
  const copy = oldest?.copy ?? snapshots.length
  db.transaction(() => {
    for (const table of [...tables, 'settings']) db.run(`drop table if exists snapshots.${table}_${copy}`)
    for (const table of tables)
      db.run(`create table snapshots.${table}_${copy} as select * from ${table} order by rowid`)
    db.run(`create table snapshots.settings_${copy} as select * from ${settings}`)
  })
  const id = randomBytes(9).toString('base64url')
  const snapshot = { id, copy, faults: state.faults.list(), clockOffset: state.clock.offset() }
  snapshots.push(snapshot)
  return snapshot
}

/** A snapshot can be restored any number of times. @throws Refusal (404) for an unknown or evicted one. */
export function restoreSnapshot(state: State, id: string): void {
  const snapshot = state.snapshots.find((each) => each.id === id)
  if (!snapshot) throw notFound(`There is no such snapshot; the newest ${snapshotsKept} are kept.`)
  state.db.transaction(() => {
    empty(state)
    for (const table of [...tables, 'settings'].reverse())
      state.db.run(`insert into ${table} select * from snapshots.${table}_${snapshot.copy} order by rowid`)
  })
  state.faults.replace(snapshot.faults)
  readBack(state)
  state.clock.set(snapshot.clockOffset)
}

function empty({ db }: State): void {
  for (const table of tables) db.run(`delete from ${table}`)
  db.run(`delete from ${settings}`)
}

/** Reloads the in-memory state from the tables. */
function readBack(state: State): void {
  const { db, options } = state
  state.clock.set(readSetting(db, 'clockOffset') ?? offsetTo(options.startAt))
  state.limits = readSetting(db, 'limits') ?? options.limits
  state.switches = { ...defaultSwitches(), ...readSetting<Partial<Switches>>(db, 'switches') }
  state.requests.clear()
}
