/** The shop's pages under a Content-Security-Policy without exceptions, ready to be read when they arrive. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono, type NotFoundHandler } from 'hono'
import { compress } from 'hono/compress'
import { isLanguage } from '../languages.ts'
import { placeholders } from '../placeholders.ts'
import { createAssets, dist } from './assets.ts'
import type { Draw } from './drawing.ts'
import { sources } from './reading.ts'
import type { Shoppers } from './shopper.ts'

/** Addresses, and the built page behind each. The shop is one page with three addresses. */
const pages = {
  '/': 'index.html',
  '/account': 'index.html',
  '/orders': 'index.html',
  '/plain.html': 'plain.html',
  '/return.html': 'return.html',
  '/webview.html': 'webview.html',
} as const

interface PageParts {
  draw: Draw
  shoppers: Shoppers
  widgetUrl: string
  documentationUrl: string
  /** Null with the real service. */
  consoleUrl: string | null
}

/** All files are read at the start, so that a new build does not take the old one's files from under a page that is open. */
export function createPages({ draw, shoppers, widgetUrl, documentationUrl, consoleUrl }: PageParts): Hono {
  const app = new Hono()
  const widgetOrigin = new URL(widgetUrl).origin
  const about = aboutHtml(widgetOrigin, consoleUrl, documentationUrl)

  for (const [path, file] of Object.entries(pages)) {
    const html = inlineStyles(readFileSync(join(dist, file), 'utf8')).replaceAll(placeholders.about, about)
    app.get(path, compress(), async (c) => {
      const nonce = randomBytes(16).toString('base64')
      c.header('Content-Security-Policy', contentSecurityPolicy(nonce, widgetOrigin))
      c.header('Cache-Control', 'no-store')
      c.header('Referrer-Policy', 'strict-origin-when-cross-origin')
      c.header('X-Content-Type-Options', 'nosniff')
      // A framed page comes without the Lax cookie; a new one would sign the shopper out of the page around it.
      const framed = c.req.header('sec-fetch-dest') === 'iframe'
      if (!framed && !(await shoppers.recognise(c.req.raw))) c.header('Set-Cookie', await shoppers.welcome())
      const drawn = html
        .replace(placeholders.drawing, () => draw(c.req.url))
        .replace(placeholders.language, languageScript(c.req.query('locale') ?? 'en'))
      return c.html(drawn.replaceAll(placeholders.nonce, nonce))
    })
  }
  return app.route('/assets', createAssets())
}

const nowhere = `<header class="header"><a class="wordmark" href="/">Lantern</a></header>
<main class="nowhere" id="content" tabindex="-1">
  <h1>There is no such page</h1>
  <p>The address may be wrong, or the page has moved.</p>
  <p><a class="button" href="/">Back to the shop</a></p>
</main>`

/** What an address without a page answers: a page for a person, in the shop's own look and without scripts. */
export function notFoundPage({
  widgetUrl,
  documentationUrl,
  consoleUrl,
}: Omit<PageParts, 'draw' | 'shoppers'>): NotFoundHandler {
  const widgetOrigin = new URL(widgetUrl).origin
  const html = inlineStyles(readFileSync(join(dist, 'index.html'), 'utf8'))
    .replaceAll(/<script[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')
    .replace('<title>Lantern, a demo shop</title>', '<title>No such page · Lantern</title>')
    .replace(placeholders.about, aboutHtml(widgetOrigin, consoleUrl, documentationUrl))
    .replace(placeholders.drawing, nowhere)
  return (c) => {
    if (!c.req.header('accept')?.includes('text/html'))
      return c.text('There is nothing at this address.', 404)
    const nonce = randomBytes(16).toString('base64')
    c.header('Content-Security-Policy', contentSecurityPolicy(nonce, widgetOrigin))
    return c.html(html.replaceAll(placeholders.nonce, nonce), 404)
  }
}

/** The styles stand in the page itself: it is drawn without another request. */
const inlineStyles = (html: string): string =>
  html.replaceAll(/<link rel="stylesheet"[^>]* href="\/assets\/([^"]+)"[^>]*>/g, (_link, name: string) => {
    const css = readFileSync(join(dist, 'assets', name), 'utf8')
    return `<style nonce="${placeholders.nonce}">${css}</style>`
  })

function aboutHtml(widgetOrigin: string, consoleUrl: string | null, documentationUrl: string): string {
  const [words, links] = consoleUrl
    ? ['It sells through a sandbox: nobody is charged.', [['Sandbox console', consoleUrl]]]
    : [`It sells through ${widgetOrigin}: cards are charged.`, []]
  const items = [...links, ['Documentation', documentationUrl], ['Source', sources]].map(
    ([name, url]) => `<li><a href="${url}">${name}</a></li>`,
  )
  return `<span>A demo of the purchase widget toolkit. ${words}</span><ul>${items.join('')}</ul>`
}

/** English is built into the script. */
const languageScript = (locale: string): string =>
  isLanguage(locale) && locale !== 'en'
    ? `<script nonce="${placeholders.nonce}" async src="/api/purchase-widget/purchase-widget.${locale}.js"></script>`
    : ''

/** The header that docs/go-live.md recommends: no inline code or style, no HTML sinks, only the widget's origin in frames. */
function contentSecurityPolicy(nonce: string, widgetOrigin: string): string {
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
    // Where the Buy button leads while there is no script: by the shop's own server to the widget.
    `form-action 'self' ${widgetOrigin}`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ')
}
