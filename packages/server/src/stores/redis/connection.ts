/** A connection to Redis of the store's own, through whichever client the merchant has. It is opened when it is first needed. */
import { within } from '../../within.ts'

/** What the store needs of a client of `ioredis`. */
export interface IoRedisClient {
  duplicate(override: { lazyConnect: boolean; commandTimeout: number }): IoRedisClient
  call(command: string, ...args: (string | number)[]): Promise<unknown>
  on(event: 'error', listener: () => void): unknown
  disconnect(): void
}

/** What the store needs of a client of `redis`, which is node-redis. */
export interface NodeRedisClient {
  duplicate(override: { disableOfflineQueue: boolean }): NodeRedisClient
  connect(): Promise<unknown>
  sendCommand(args: string[]): Promise<unknown>
  on(event: 'error', listener: () => void): unknown
  destroy(): void
}

export interface RedisConnection {
  /** @throws Error when Redis refuses, or does not answer in a second. */
  run(command: string, ...args: (string | number)[]): Promise<unknown>
  close(): void
}

/** A command that takes longer counts as failed, and the store as gone for the one who asked. */
const COMMAND_MS = 1_000

export function connect(client: IoRedisClient | NodeRedisClient): RedisConnection {
  const { run, close } = 'call' in client ? connectIoRedis(client) : connectNodeRedis(client)
  return { run: (command, ...args) => within(COMMAND_MS, run(command, ...args), 'Redis'), close }
}

function connectIoRedis(client: IoRedisClient): RedisConnection {
  const connection = client.duplicate({ lazyConnect: true, commandTimeout: COMMAND_MS })
  // A lost connection shows in each command, and the client connects again by itself.
  connection.on('error', () => {})
  return {
    run: (command, ...args) => connection.call(command, ...args),
    close: () => connection.disconnect(),
  }
}

function connectNodeRedis(client: NodeRedisClient): RedisConnection {
  // What was given up must not be done when Redis is back.
  const connection = client.duplicate({ disableOfflineQueue: true })
  connection.on('error', () => {})
  let connected: Promise<unknown> | null = null

  function open(): Promise<unknown> {
    connected ??= connection.connect().catch((error: unknown) => {
      connected = null
      throw error
    })
    return connected
  }

  return {
    async run(command, ...args) {
      await open()
      return connection.sendCommand([command, ...args.map(String)])
    },
    close() {
      // One that was never opened refuses to be closed.
      if (connected) connection.destroy()
      connected = null
    },
  }
}
