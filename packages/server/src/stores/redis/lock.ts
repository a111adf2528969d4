/** Locks through redis-semaphore, whichever client the merchant has. */
import { Mutex } from 'redis-semaphore'
import type { RedisConnection } from './connection.ts'

/** How long a lock outlives a holder that was killed. A living holder renews it. */
const LOCK_MS = 5_000
/** How long to wait for a holder that lives: longer than a call to the service may take. */
const LOCK_WAIT_MS = 30_000

/** @throws Error when the lock was not to be had in 30 seconds. */
export async function withRedisLock<T>(
  connection: RedisConnection,
  key: string,
  task: () => Promise<T>,
): Promise<T> {
  const mutex = new RenewedMutex(clientOf(connection), key, {
    lockTimeout: LOCK_MS,
    acquireTimeout: LOCK_WAIT_MS,
    retryInterval: 50,
    onLockLost: () => {},
  })
  await mutex.acquire()
  try {
    return await task()
  } finally {
    // What cannot be released ends by itself.
    await mutex.release().catch(() => {})
  }
}

/** The library renews from a timer that nobody catches: a Redis that is gone then must mean a lost lock, not a crash. */
class RenewedMutex extends Mutex {
  protected override async _refresh(): Promise<boolean> {
    return super._refresh().catch(() => false)
  }
}

/** A lock always has an end. What has none at its key is somebody else's, of whatever type, and would hold for ever. */
const TAKE = `
  if redis.call('PTTL', KEYS[1]) == -1 then redis.call('DEL', KEYS[1]) end
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX')`

/** The commands that the library's mutex uses, as ioredis has them. */
function clientOf({ run }: RedisConnection): ConstructorParameters<typeof Mutex>[0] {
  const commands = {
    set: (key: string, holder: string, _px: 'PX', ms: number, _nx: 'NX') =>
      run('EVAL', TAKE, 1, key, holder, ms),
    eval: (script: string, keys: number, ...args: (string | number)[]) => run('EVAL', script, keys, ...args),
    evalsha: (sha: string, keys: number, ...args: (string | number)[]) => run('EVALSHA', sha, keys, ...args),
  }
  // The library's type asks for all of ioredis's overloads, and for commands of its semaphores.
  return commands as unknown as ConstructorParameters<typeof Mutex>[0]
}
