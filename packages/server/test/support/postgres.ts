/** A real Postgres server on a free port, run by an ordinary user, because Postgres refuses to be run by root. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const FOLDERS = ['/usr/lib/postgresql/17/bin', '/usr/lib/postgresql/16/bin', '/usr/lib/postgresql/15/bin']
const bin = FOLDERS.find((folder) => existsSync(join(folder, 'initdb')))

/** Whether tests that need Postgres can run here. Logs if they cannot, and fails if all engines are required. */
export const hasPostgres = bin !== undefined
if (!hasPostgres) {
  const lack = 'No Postgres server is installed'
  if (process.env.ENGINES === 'all') throw new Error(`${lack}, but ENGINES=all asks for its tests.`)
  console.warn(`${lack}: the tests of the Postgres store are skipped.`)
}

export interface PostgresServer {
  /** A connection string, with a database and a superuser named `shop`. */
  url: string
  pause(): void
  resume(): void
  /** Kills it, with its connections: committed data stays. */
  kill(): Promise<void>
  /** Restarts it, at the same address. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Root becomes `nobody`; any other user stays the same. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }))
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin ?? '', 'initdb'),
    ['-D', data, '-U', 'shop', '--auth=trust', '--no-sync', '-E', 'UTF8'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)

  const port = await freePort()
  const url = `postgres://shop@127.0.0.1:${port}/postgres`
  let server: ChildProcess

  async function start(): Promise<void> {
    server = spawn(
      join(bin ?? '', 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
    await untilItAnswers(url, server)
  }

  await start()
  return {
    url,
    pause: () => signal(server, 'SIGSTOP'),
    resume: () => signal(server, 'SIGCONT'),
    async kill() {
      const ended = once(server, 'exit')
      const children = signal(server, 'SIGKILL')
      await ended
      // Until they have ended they hold its shared memory, and it would not restart.
      while (areRunning(children)) await sleep(10)
    },
    start,
    async close() {
      signal(server, 'SIGCONT')
      const ended = once(server, 'exit')
      // First waits for connections to end: a pool reports its end while they are still closing, and one that is cut off then throws.
      server.kill('SIGTERM')
      await Promise.race([ended, sleep(2_000, undefined, { ref: false })])
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each connection is a process of its own. Returns their ids. */
function signal(server: ChildProcess, name: NodeJS.Signals): string[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
  const children = listed.stdout.split(/\s+/).filter(Boolean)
  for (const pid of children) {
    try {
      process.kill(Number(pid), name)
    } catch {
      // It has ended meanwhile.
    }
  }
  server.kill(name)
  return children
}

/** A process that has ended, but whose status no one has read, is still listed as a zombie. */
function areRunning(processes: readonly string[]): boolean {
  const listed = spawnSync('ps', ['-o', 'stat=', '-p', processes.join(',')], { encoding: 'utf8' })
  return listed.stdout.split('\n').some((state) => /^[^Z\s]/.test(state))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.')
  return address.port
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (server.exitCode !== null || performance.now() > giveUpAt) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
