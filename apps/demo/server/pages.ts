import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { noncePlaceholder } from '../nonce.ts'
import type { Shoppers } from './shopper.ts'

const dist = join(import.meta.dirname, '..', 'dist')

/** Addresses, and the built page behind each. The shop is one page with three addresses. */
const pages = {
  '/': 'index.html',
  '/account': 'index.html',
  '/orders': 'index.html',
  '/plain.html': 'plain.html',
  '/return.html': 'return.html',
  '/webview.html': 'webview.html',
} as const

/** The shop's pages under a Content-Security-Policy without exceptions, and their assets. */
export function createPages({ shoppers, widgetUrl }: { shoppers: Shoppers; widgetUrl: string }): Hono {
  const app = new Hono()
  const widgetOrigin = new URL(widgetUrl).origin

  for (const [path, file] of Object.entries(pages)) {
    const html = readFileSync(join(dist, file), 'utf8')
    app.get(path, async (c) => {
      const nonce = randomBytes(16).toString('base64')
      c.header('Content-Security-Policy', contentSecurityPolicy(nonce, widgetOrigin))
      c.header('Cache-Control', 'no-store')
      c.header('Referrer-Policy', 'strict-origin-when-cross-origin')
      c.header('X-Content-Type-Options', 'nosniff')
      // A framed return page comes without the Lax cookie; a new one would sign the shopper out of the page around it.
      const framed = c.req.header('sec-fetch-dest') === 'iframe'
      if (!framed && !(await shoppers.recognise(c.req.raw))) c.header('Set-Cookie', await shoppers.welcome())
      return c.html(html.replaceAll(noncePlaceholder, nonce))
    })
  }

  app.get('/assets/*', serveStatic({ root: dist, onFound: (_path, c) => cacheForever(c) }))
  return app
}

/** The header that the quickstart recommends: no inline code or style, no HTML sinks, only the widget's origin in frames. */
function contentSecurityPolicy(nonce: string, widgetOrigin: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `font-src 'self'`,
    `img-src 'self'`,
    `connect-src 'self'`,
    // The return page loads in the widget's frame, so the shop may frame itself.
    `frame-src ${widgetOrigin} 'self'`,
    `frame-ancestors 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
}

function cacheForever(c: { header(name: string, value: string): void }): void {
  c.header('Cache-Control', 'public, max-age=31536000, immutable')
}
