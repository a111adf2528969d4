/** The network address of whoever sent the request that is being answered. */
import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string | undefined>()

export const answerFor = <Result>(address: string | undefined, answer: () => Result): Result =>
  storage.run(address, answer)

export const callerAddress = (): string | null => storage.getStore() ?? null
