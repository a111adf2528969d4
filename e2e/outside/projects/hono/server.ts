/** Hono, on Node. */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { companion } from './companion.ts'

const app = new Hono()

app.all('/api/purchase-widget/*', (c) =>
  companion.fetch(c.req.raw, { address: getConnInfo(c).remote.address }),
)
for (const [path, file] of Object.entries({ '/': 'index.html', '/thanks': 'thanks.html' })) {
  const page = readFileSync(file, 'utf8')
  app.get(path, (c) => {
    setCookie(c, 'session', 'the-random-id-of-a-session')
    return c.html(page)
  })
}

serve({ fetch: app.fetch, port: Number(process.env.PORT) })
