/** Serves the compiled pages: the widget's (src/widget) and the console's (src/console). */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './middleware.ts'

export type PageName = 'widget' | 'console'

/** This file runs from `src/http` in the repository and from `dist` in the installed package. */
const isBuilt = basename(import.meta.dirname) === 'dist'
const built = isBuilt ? import.meta.dirname : join(import.meta.dirname, '../../dist')

/** Allows only what a page needs: its own scripts, styles and API, and images from `images`. */
function policy(images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

const pageCsp: string = policy("'self'")

/** A merchant's logo may be on any host; the page sends no referrer. */
export const widgetCsp: string = policy("'self' http: https:")

/** Returns a page, or 503 when it has not been built. */
export async function page(name: PageName, headers: Record<string, string> = {}): Promise<Response> {
  const html = await readFile(join(built, name, 'index.html'), 'utf8').catch(() => null)
  return new Response(html ?? notBuilt(name), {
    status: html === null ? 503 : 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': pageCsp,
      ...headers,
    },
  })
}

/** Serves a page's assets; their names change with their content, so they may be cached forever. */
export function assets(name: PageName, mountedAt: string): MiddlewareHandler<AppEnv> {
  const root = join(built, name)
  if (!existsSync(root)) return (_, next) => next()
  return serveStatic<AppEnv>({
    root,
    rewriteRequestPath: (path) => path.slice(mountedAt.length),
    onFound: (_, c) => {
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
      c.header('X-Content-Type-Options', 'nosniff')
    },
  })
}

const notBuilt = (name: PageName): string => `<!doctype html>
<html lang="en">
<title>Not built</title>
<h1>The ${name} page is not built</h1>
<p>The API works. In the repository, <code>node scripts/build.ts sandbox</code> builds this page; then start again.</p>
`
