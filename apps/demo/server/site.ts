/**
 * The documentation site, where `pnpm run docs` has made it. It has a port, and so an origin, of its own: its pages start with inline scripts,
 * which the shop's policy forbids.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { guard } from './guard.ts'
import { listen, stop } from './listen.ts'

const built = join(import.meta.dirname, '..', '..', '..', 'docs', 'site', 'dist')

export interface Site {
  /** Without a slash at the end. */
  url: string
  close(): Promise<void>
}

/** Takes the first port to try; 0 takes any. Gives null where no site has been made. */
export async function startSite(preferredPort: number, root: string = built): Promise<Site | null> {
  if (!existsSync(join(root, 'index.html'))) return null
  const app = new Hono()
  app.use(guard)
  // A browser shows a page's Markdown twin, and does not save it.
  app.use(async (c, next) => {
    await next()
    if (c.req.path.endsWith('.md') && c.res.ok) c.header('Content-Type', 'text/markdown; charset=utf-8')
  })
  app.use(serveStatic({ root }))
  // The site's own links do not end with .html.
  app.use(serveStatic({ root, rewriteRequestPath: (path) => `${path}.html` }))
  const { server, port } = await listen(preferredPort)
  server.on('request', getRequestListener(app.fetch))
  return { url: `http://localhost:${port}`, close: () => stop(server) }
}
