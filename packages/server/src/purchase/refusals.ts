/** Why purchases were refused that a page has opened by a link: the page cannot see it in a frame or window, and asks. */

import { within } from '../deadline.ts'
import type { SharedState } from '../stores/store.ts'
import { type Caller, idOf } from './shopper.ts'

export interface Refused {
  readonly code: string
  readonly message: string
}

export type Refusals = ReturnType<typeof createRefusals>

const KEEP_MS = 300_000
const STORE_MS = 500

export function createRefusals(store: Pick<SharedState, 'get' | 'set'>) {
  const keyOf = (id: string, caller: Caller | null): string =>
    `refused:${id}:${caller ? idOf(caller.shopper) : ''}`

  async function read(key: string): Promise<Refused | null> {
    const kept = await within(STORE_MS, store.get(key)).catch(() => null)
    return kept && (JSON.parse(kept.value) as Refused)
  }

  return {
    /** Keeps it for five minutes. `caller`: null while nobody is signed in. Never rejects: the page of the refusal says it too. */
    async keep(id: string, caller: Caller | null, { code, message }: Refused): Promise<void> {
      const kept = store.set(keyOf(id, caller), JSON.stringify({ code, message }), KEEP_MS)
      await within(STORE_MS, kept).catch(() => {})
    },
    /** Null where none is kept for this shopper, or for nobody: who signs in afterwards is told, too. */
    find: async (id: string, caller: Caller | null): Promise<Refused | null> =>
      (await read(keyOf(id, caller))) ?? (caller ? read(keyOf(id, null)) : null),
  }
}
