/** The shop's pages, server-rendered, under a Content-Security-Policy without exceptions. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { shopperOf, welcome } from './visitor.ts'

const dist = join(import.meta.dirname, '..', 'dist')

/** Placeholders that the build writes for the values of each response. */
export const placeholders = {
  nonce: '__NONCE__',
  /** Names the service through which the shop sells, with related links: HTML. */
  about: '__ABOUT__',
  /** The server-rendered page: HTML. */
  drawing: '__DRAWING__',
} as const

/** One page with four paths; any other path gets "not found". */
const addresses = ['/', '/token', '/orders', '/return']

export interface PageParts {
  /** Renders the page of an address as HTML, with the code that the browser also runs. */
  draw: (address: string) => string
  /** Signs the session cookie. */
  secret: string
  widgetUrl: string
  /** Null with the real service. */
  consoleUrl: string | null
}

/** Loads the compiled web/draw.tsx, which Node cannot import directly. */
export async function loadDrawing(): Promise<PageParts['draw']> {
  const made: { draw: PageParts['draw'] } = await import(join(dist, 'server', 'draw.js'))
  return made.draw
}

/** The page is read at the start: a new build takes effect at the next start. */
export function createPages(parts: PageParts): Hono {
  const { draw, secret } = parts
  const app = new Hono()
  const html = pageHtml(parts)
  // The build has written compressed copies next to the files.
  const assets = serveStatic({
    root: dist,
    precompressed: true,
    onFound(_path, c) {
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
    },
  })
  app.use('/assets/*', assets)
  app.get('*', compress(), async (c) => {
    const isPage = addresses.includes(c.req.path)
    if (!isPage && !c.req.header('accept')?.includes('text/html'))
      return c.text('There is nothing at this address.', 404)
    const nonce = randomBytes(16).toString('base64')
    c.header('Content-Security-Policy', contentSecurityPolicy(nonce, parts.widgetUrl))
    c.header('Cache-Control', 'no-store')
    c.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    c.header('X-Content-Type-Options', 'nosniff')
    // A framed page arrives without the Lax cookie; a new one would sign the shopper out of the embedding page.
    const framed = c.req.header('sec-fetch-dest') === 'iframe'
    if (!framed && !(await shopperOf(c.req.raw, secret))) c.header('Set-Cookie', await welcome(secret))
    const drawn = html.replace(placeholders.drawing, () => draw(c.req.url))
    return c.html(drawn.replaceAll(placeholders.nonce, nonce), isPage ? 200 : 404)
  })
  return app
}

/** The built page with inlined styles, so that it renders without another request. */
const pageHtml = (parts: PageParts): string =>
  readFileSync(join(dist, 'index.html'), 'utf8')
    .replaceAll(/<link rel="stylesheet"[^>]* href="\/assets\/([^"]+)"[^>]*>/g, (_link, name: string) => {
      const css = readFileSync(join(dist, 'assets', name), 'utf8')
      return `<style nonce="${placeholders.nonce}">${css}</style>`
    })
    .replace(placeholders.about, aboutHtml(parts))

function aboutHtml({ widgetUrl, consoleUrl }: PageParts): string {
  const words = consoleUrl
    ? 'It sells through a sandbox: nobody is charged.'
    : `It sells through ${new URL(widgetUrl).origin}: cards are charged.`
  const link = consoleUrl ? `<a href="${consoleUrl}">Sandbox console</a>` : ''
  return `<span>A demo of the purchase widget toolkit. ${words}</span>${link}`
}

/** The header that docs/go-live.md recommends: no inline code or style, no HTML sinks, only the widget's origin in frames. */
function contentSecurityPolicy(nonce: string, widgetUrl: string): string {
  const widgetOrigin = new URL(widgetUrl).origin
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `font-src 'self'`,
    `img-src 'self'`,
    `connect-src 'self'`,
    // The companion's return page loads in the widget's frame.
    `frame-src ${widgetOrigin} 'self'`,
    `frame-ancestors 'self'`,
    `base-uri 'none'`,
    // The target of the Buy button without scripts: the widget, via the shop's own server.
    `form-action 'self' ${widgetOrigin}`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
}
