import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
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

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * The shop's pages under a Content-Security-Policy without exceptions, and their assets. All are read at
 * the start, so that a new build does not take the old one's files from under a page that is open.
 */
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

  for (const file of readdirSync(join(dist, 'assets'))) {
    const body = readFileSync(join(dist, 'assets', file))
    const type = mediaTypes[extname(file)]
    if (!type) throw new Error(`server/pages.ts does not know the media type of ${file}.`)
    app.get(`/assets/${file}`, (c) => {
      c.header('Content-Type', type)
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
      c.header('X-Content-Type-Options', 'nosniff')
      return c.body(body)
    })
  }
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
