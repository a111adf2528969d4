/** Instances of a merchant's server, as processes that are killed, deployed and started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Moment, moments, type ShopMessage, type ShopSettings, type Usage } from './shopSettings.ts'

export interface ShopFleet {
  /** The address of an instance that was open a moment ago. */
  url(): string
  /** How often processes died, by moment. */
  readonly deaths: Map<Moment | 'any', number>
  /** How often an instance was closed and started again. */
  deploys(): number
  readonly errors: Map<string, number>
  /** SIGKILL for one of them, at no chosen moment. */
  killOne(): Promise<void>
  /** SIGTERM for one of them, and a wait until it has ended. */
  deployOne(): Promise<void>
  /** From now on nobody kills itself. Each instance is started anew. */
  calm(): Promise<void>
  /** Of each open instance. */
  usage(): Promise<Usage[]>
  close(): Promise<void>
}

const worker = fileURLToPath(new URL('./shopWorker.ts', import.meta.url))

interface Instance {
  child: ChildProcess
  url: string
}

export async function openShopFleet(
  size: number,
  settings: ShopSettings,
  timesAtMost = 0,
): Promise<ShopFleet> {
  const slots: (Instance | null)[] = Array.from({ length: size }, () => null)
  const deaths = new Map<Moment | 'any', number>()
  const errors = new Map<string, number>()
  /** Those that were ended from here, and not by themselves. */
  const killed = new WeakSet<ChildProcess>()
  let starts = 0
  let deploys = 0
  let state: 'wild' | 'calm' | 'closed' = timesAtMost > 0 ? 'wild' : 'calm'

  const count = <Key>(map: Map<Key, number>, key: Key): void => void map.set(key, (map.get(key) ?? 0) + 1)

  async function start(slot: number): Promise<void> {
    const at = moments[starts++ % moments.length]
    const times = 1 + Math.floor(Math.random() * timesAtMost)
    const dies = state === 'wild' && at ? { at, times } : undefined
    const child = fork(worker, [JSON.stringify({ ...settings, ...(dies ? { dies } : {}) })], {
      execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
    })
    child.once('exit', (_, signal) => {
      slots[slot] = null
      if (signal === 'SIGKILL') count(deaths, killed.has(child) || !dies ? 'any' : dies.at)
      if (state !== 'closed') void start(slot)
    })
    child.on('message', (message: ShopMessage) => {
      if ('error' in message) count(errors, message.error.replaceAll(/[0-9a-f-]{36}/g, '…'))
      if ('port' in message) {
        const url = `http://127.0.0.1:${message.port}`
        slots[slot] = { child, url }
        // As a health check does: a process that nobody calls does not know that there is work.
        fetch(`${url}/orders`, { headers: { cookie: 'shopper=health' } }).catch(() => {})
      }
    })
  }

  const open = (): Instance[] => slots.filter((slot) => slot !== null)
  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)]

  async function allOpen(): Promise<void> {
    while (open().length < size) await sleep(20)
  }

  async function end(instance: Instance, signal: NodeJS.Signals): Promise<void> {
    const { child } = instance
    killed.add(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  for (let slot = 0; slot < size; slot++) void start(slot)
  await allOpen()

  return {
    url: () => any(open())?.url ?? 'http://127.0.0.1:1',
    deaths,
    errors,
    deploys: () => deploys,
    async killOne() {
      const one = any(open())
      if (one) await end(one, 'SIGKILL')
    },
    async deployOne() {
      const one = any(open())
      if (!one) return
      await end(one, 'SIGTERM')
      deploys++
    },
    async calm() {
      state = 'calm'
      await allOpen()
      for (const one of open()) await end(one, 'SIGTERM')
      await allOpen()
    },
    usage: () =>
      Promise.all(
        open().map(async ({ child }) => {
          const answered = new Promise<Usage>((resolve) => {
            child.on('message', function read(message: ShopMessage) {
              if (!('usage' in message)) return
              child.off('message', read)
              resolve(message.usage)
            })
          })
          child.send('usage')
          return answered
        }),
      ),
    async close() {
      state = 'closed'
      await Promise.all(open().map((one) => end(one, 'SIGKILL')))
    },
  }
}
