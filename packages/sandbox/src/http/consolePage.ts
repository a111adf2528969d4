/** The console at `/_sandbox/`: the page and its files. What it shows is GET /_sandbox/state. */
import { Hono } from 'hono'
import type { AppEnv } from './middleware.ts'
import { assets, page } from './pages.ts'

export function consolePage(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/_sandbox', (c) => c.redirect('/_sandbox/', 308))
  app.get('/_sandbox/', () => page('console'))
  app.get('/_sandbox/assets/*', assets('console', '/_sandbox'))
  return app
}
