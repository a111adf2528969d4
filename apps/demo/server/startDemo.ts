/** Starts the whole demo in this process: the sandbox in place of the service, and the shop that sells through it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { createControl } from '@purchase-widget/sandbox/testing'
import { createPurchaseClient } from '@purchase-widget/server'
import { startShop } from './shop.ts'
import { createJournal, noteCalls } from './story.ts'

export interface DemoOptions {
  /** The first port to try for the shop; busy ports are skipped. 0 takes any free port. Default 4000. */
  port?: number | undefined
  /** Folder for the databases of shop and sandbox. Default: they are not kept. */
  dataDir?: string | undefined
}

export class UnusableOption extends Error {}

/** @throws UnusableOption */
export function readOptions(args: string[]): DemoOptions {
  const { port, data } = parsed(args)
  if (port === undefined) return { dataDir: data }
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new UnusableOption('--port must be a number from 0 (any free port) to 65535.')
  return { port: Number(port), dataDir: data }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { port: { type: 'string' }, data: { type: 'string' } } }).values
  } catch (error) {
    throw new UnusableOption(error instanceof Error ? error.message : String(error))
  }
}

export interface Demo {
  /** The address to open, without a trailing slash. */
  url: string
  sandbox: Sandbox
  close(): Promise<void>
}

export async function startDemo({ port, dataDir }: DemoOptions = {}): Promise<Demo> {
  if (dataDir) mkdirSync(dataDir, { recursive: true })
  const sandbox = await createSandbox(dataDir ? { db: join(dataDir, 'sandbox.db') } : {})
  const journal = createJournal()
  const shop = await startShop({
    client: createPurchaseClient({ ...sandbox.urls, ...sandbox.credentials, logger: noteCalls(journal) }),
    journal,
    consoleUrl: `${sandbox.urls.controlUrl}/`,
    port,
    dataDir,
  })
  // With the real service a person does this once, in the dashboard. An existing database may contain an address with another port.
  await createControl(sandbox.urls.controlUrl).webhooks.clear()
  sandbox.setWebhook(shop.webhookUrl)
  return {
    url: shop.url,
    sandbox,
    async close() {
      await shop.close()
      await sandbox.close()
    },
  }
}
