/** Starts the sandbox, a shop's hooks, and the servers that are measured. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HookShop, startHookShop } from '../../packages/server/test/support/hookShop.ts'
import { type Service, startService } from '../../packages/server/test/support/service.ts'
import { publicUrl, serviceVariables } from '../../packages/server/test/support/serving.ts'
import type { Usage } from './contestant.ts'

export interface Surroundings {
  service: Service
  shop: HookShop
  close(): Promise<void>
}

export async function startSurroundings(): Promise<Surroundings> {
  const service = await startService()
  const shop = await startHookShop()
  return {
    service,
    shop,
    async close() {
      await shop.close()
      await service.close()
    },
  }
}

export interface Contestant {
  /** Where the companion's routes begin. */
  address: string
  usage(): Promise<Usage>
  close(): Promise<void>
}

export async function startContestant(
  kind: 'serve' | 'embedded',
  { service, shop }: Surroundings,
): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'))
  const server = fork(join(import.meta.dirname, 'contestant.ts'), [kind, shop.url, folder], {
    env: { ...process.env, NODE_ENV: 'production', ...serviceVariables(service) },
    execArgv: ['--expose-gc'],
  })
  const [address] = (await once(server, 'message')) as [string]
  return {
    address: address + new URL(publicUrl).pathname,
    async usage() {
      server.send('usage')
      const [usage] = (await once(server, 'message')) as [Usage]
      return usage
    },
    async close() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of a link that a shopper follows on the shop's page. */
export const navigation = (shopper: number): Record<string, string> => ({
  cookie: `shopper=shopper-${shopper}`,
  host: new URL(publicUrl).host,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'same-origin',
  // An address for each shopper, as a proxy passes it on: the limits count them.
  'x-forwarded-for': `10.${(shopper >> 16) & 255}.${(shopper >> 8) & 255}.${shopper & 255}`,
})
