/** Serves a sandbox's companion on the test page's own origin, and the merchant's return page. */

import { createSandbox } from '@purchase-widget/sandbox'
import {
  type Companion,
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  toNodeHandler,
} from '@purchase-widget/server'
import type { Plugin, ViteDevServer } from 'vite'

export const companionPath = '/api/purchase-widget'
export const returnPath = '/return-page'

export function service(): Plugin {
  return {
    name: 'purchase-widget-service',
    async configureServer(server: ViteDevServer) {
      const sandbox = await createSandbox()
      const companion = companionOf(sandbox)
      server.httpServer?.on('close', () => {
        companion.close()
        void sandbox.close()
      })
      server.middlewares.use(companionPath, toNodeHandler(companion))
      server.middlewares.use(returnPath, (_request, response) => {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>Return</title>')
      })
      server.middlewares.use('/widget-url', (_request, response) => {
        response.end(sandbox.urls.widgetUrl)
      })
    },
  }
}

function companionOf({ urls, credentials }: Awaited<ReturnType<typeof createSandbox>>): Companion {
  const client = createPurchaseClient({ ...urls, ...credentials })
  return createCompanion({
    client,
    tokens: createTokenLease({ client }),
    authorize: () => ({ customId: 'shopper-1' }),
    rateLimit: { perShopper: 100_000, perAddress: 100_000 },
  })
}
