/** A real Redis (or Valkey) server on a socket of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const binary = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** Whether tests that need Redis can run here. Says so when they cannot. */
export const hasRedis = binary !== undefined
if (!hasRedis) {
  const lack = 'redis-server is not on this machine'
  if (process.env.ENGINES === 'all') throw new Error(`${lack}, but ENGINES=all asks for its tests.`)
  console.warn(`${lack}: the tests of the Redis store are skipped.`)
}

export interface RedisServer {
  socket: string
  connect(): Redis
  /** Runs one command, on a connection of its own. */
  command(name: string, ...args: string[]): Promise<unknown>
  pause(): void
  resume(): void
  /** SIGKILL. Nothing was saved. */
  kill(): Promise<void>
  /** Starts it again, empty. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ChildProcess

  async function start(): Promise<void> {
    rmSync(socket, { force: true })
    server = spawn(binary ?? '', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], {
      stdio: 'ignore',
    })
    const probe = new Redis(socket, { retryStrategy: () => 50, maxRetriesPerRequest: null })
    probe.on('error', () => {})
    await probe.ping()
    probe.disconnect()
  }

  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    socket,
    connect: () => new Redis(socket),
    async command(name, ...args) {
      const connection = new Redis(socket)
      const reply = await connection.call(name, ...args)
      connection.disconnect()
      return reply
    },
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    kill,
    start,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
