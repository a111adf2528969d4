/**
 * Starts the demo and prints the address to open.
 *
 *     node apps/demo/server/main.ts [--port 4000] [--data DIR]
 *
 * With PURCHASE_WIDGET_URL, PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_API_KEY and PURCHASE_SECRET_KEY set, in the
 * environment or in `.env`, the shop sells through that service instead of the sandbox.
 */
import { existsSync } from 'node:fs'
import { clientFromEnv, isInvalidInputError, type PurchaseClient } from '@purchase-widget/server'
import { startShop } from './shop.ts'
import { readOptions, startDemo, UnusableOption } from './startDemo.ts'
import { createJournal, type Journal, noteCalls } from './story.ts'

const REQUIRED = [
  'PURCHASE_WIDGET_URL',
  'PURCHASE_WIDGET_API_URL',
  'PURCHASE_BASE_URL',
  'PURCHASE_API_KEY',
  'PURCHASE_SECRET_KEY',
]

/** The client of the real service; null when none of its settings is present. */
function configuredClient(journal: Journal): PurchaseClient | null {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return REQUIRED.some((name) => process.env[name])
    ? clientFromEnv(process.env, { logger: noteCalls(journal) })
    : null
}

async function start(): Promise<void> {
  const { port, dataDir } = readOptions(process.argv.slice(2))
  const journal = createJournal()
  const client = configuredClient(journal)
  const demo = client
    ? await startShop({ client, journal, port, dataDir })
    : await startDemo({ port, dataDir })

  console.log(`\n  Open ${demo.url}\n`)
  console.log(
    'sandbox' in demo
      ? `  It sells through a sandbox: nobody is charged. The sandbox’s console: ${demo.sandbox.urls.controlUrl}/`
      : `  It sells through ${client?.widgetUrl}. Its webhooks belong to ${demo.webhookUrl}`,
  )
  console.log('  Documentation: docs/, or as a site: npx -y pnpm@12.21.0 run docs --serve')
  console.log('  Ctrl-C stops it.')

  const stop = (): void => {
    demo.close().finally(() => process.exit(0))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

start().catch((error: unknown) => {
  process.exitCode = 1
  // An error that the user can fix needs no stack trace.
  if (isInvalidInputError(error)) {
    console.error(`${error.message}\nTo use the sandbox instead, set none of ${REQUIRED.join(', ')}.`)
  } else if (error instanceof UnusableOption) console.error(error.message)
  else throw error
})
