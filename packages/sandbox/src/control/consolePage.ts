/** The console at `/_sandbox/`: the page and its files. What it shows is GET /_sandbox/state. */
import { Hono } from 'hono'
import type { AppEnv } from '../exchange.ts'
import { assets, page } from '../pages.ts'

export function consolePage(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/', () => page('console'))
  app.get('/assets/*', assets('console', '/_sandbox'))
  return app
}
