/** What the test pages talk to: a sandbox, its companion on the pages' own origin, and a bare widget page. */
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import {
  type Companion,
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  toNodeHandler,
} from '@purchase-widget/server'
import type { Plugin } from 'vite'
import { addressesPath, companionPath, returnPath } from './addresses.ts'

export function service(): Plugin {
  return {
    name: 'purchase-widget-service',
    async configureServer({ httpServer, middlewares }) {
      const sandbox = await createSandbox()
      const companion = companionOf(sandbox)
      const bare = await startBareWidget()
      httpServer?.on('close', () => {
        companion.close()
        bare.close()
        void sandbox.close()
      })
      middlewares.use(companionPath, toNodeHandler(companion))
      middlewares.use(returnPath, (_request, response) => {
        response.setHeader('content-type', 'text/html').end(returnPage)
      })
      middlewares.use(addressesPath, (_request, response) => {
        const bareUrl = `http://127.0.0.1:${portOf(bare)}`
        response.end(JSON.stringify({ sandboxUrl: sandbox.urls.widgetUrl, bareUrl }))
      })
    },
  }
}

/** A merchant's page where a purchase without a companion ends. */
const returnPage = `<!doctype html><title>Return</title><script type="module">
import { announceReturn } from '/@fs${fileURLToPath(import.meta.resolve('@purchase-widget/loader/return'))}'
announceReturn()
</script>`

function companionOf({ urls, credentials }: Sandbox): Companion {
  const client = createPurchaseClient({ ...urls, ...credentials })
  return createCompanion({
    client,
    tokens: createTokenLease({ client }),
    authorize: () => ({ customId: 'shopper-1' }),
    rateLimit: { perShopper: 100_000, perAddress: 100_000 },
  })
}

/**
 * A widget page without content, for tests that count frames by the hundred. With `product_id=at-once` the purchase
 * ends at once: the page redirects to `redirect_url`. With `product_id=never` it never answers.
 */
async function startBareWidget(): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const product = searchParams.get('product_id')
    if (product === 'never') return
    if (product === 'at-once')
      response.writeHead(302, { location: searchParams.get('redirect_url') ?? '/' }).end()
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Widget</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The bare widget has no port.')
  return address.port
}
