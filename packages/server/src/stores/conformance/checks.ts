/** The shape of the suite: each check is a sentence, and what has to hold of two instances over empty data. */
import type { Store } from '../store.ts'

export interface StoresUnderTest {
  readonly one: Store
  /** Another instance over the same data, as a second process has it; the same one where a process has its own data. */
  readonly other: Store
  /** Called when the test is over, whether it passed or not: closes both and removes their data. */
  end(): Promise<void>
}

export type Checks = Readonly<Record<string, (stores: StoresUnderTest) => Promise<void>>>
