/** Gets a token that lives: the one in the store, or a new one, created by one caller at a time. */
import { PurchaseError } from '../errors.ts'
import type { HeldToken } from './leasedToken.ts'
import type { Pause } from './pause.ts'
import type { SharedToken } from './sharedToken.ts'

/** @param refused a token that the service has refused: as good as none. */
export type Acquire = (refused: string | undefined) => Promise<HeldToken>

interface AcquireOptions {
  shared: SharedToken
  pause: Pause
  create: () => Promise<HeldToken>
}

export function createAcquire({ shared, pause, create }: AcquireOptions): Acquire {
  async function createUnlessPaused(): Promise<HeldToken> {
    pause.check()
    try {
      return await create()
    } catch (error) {
      await pause.begin(error)
      throw error
    }
  }

  return async (refused) => {
    const readOther = async (): Promise<HeldToken | null> => {
      const stored = await shared.read()
      return stored?.accessToken === refused ? null : stored
    }
    try {
      // Before the pause is looked at: another instance may have a token by now.
      const stored = await readOther()
      if (stored) return stored
      pause.check()
      return await shared.withLock(async () => {
        const meanwhile = await readOther()
        if (meanwhile) return meanwhile
        await pause.checkOthers()
        const token = await createUnlessPaused()
        // A store that is gone now learns of the token later, when the lease compares.
        await shared.write(token).catch(() => {})
        return token
      })
    } catch (error) {
      if (error instanceof PurchaseError) throw error
      // The store is gone: one token for this process is better than none.
      return createUnlessPaused()
    }
  }
}
