/** Why purchases were refused that a page has opened by a link: the page cannot see it in a frame or window, and asks. */
import type { SharedState } from '../stores/store.ts'
import { within } from '../within.ts'
import { type Asker, idOf } from './shopper.ts'

export interface Refused {
  readonly code: string
  readonly message: string
}

export interface Refusals {
  /** Keeps it for five minutes. `asker`: null while nobody is signed in. Never rejects: the page of the refusal says it too. */
  keep(purchaseId: string, asker: Asker | null, refused: Refused): Promise<void>
  /** Null where none is kept for this shopper, or for nobody. */
  find(purchaseId: string, asker: Asker | null): Promise<Refused | null>
}

const KEEP_MS = 300_000
const STORE_MS = 500

export function createRefusals(store: Pick<SharedState, 'get' | 'set'>): Refusals {
  const keyOf = (id: string, asker: Asker | null): string =>
    `refused:${id}:${asker ? idOf(asker.shopper) : ''}`

  async function read(key: string): Promise<Refused | null> {
    const kept = await within(STORE_MS, store.get(key)).catch(() => null)
    return kept && (JSON.parse(kept.value) as Refused)
  }

  return {
    async keep(id, asker, { code, message }) {
      const kept = store.set(keyOf(id, asker), JSON.stringify({ code, message }), KEEP_MS)
      await within(STORE_MS, kept).catch(() => {})
    },
    // Who signs in afterwards is told, too.
    find: async (id, asker) => (await read(keyOf(id, asker))) ?? (asker ? read(keyOf(id, null)) : null),
  }
}
