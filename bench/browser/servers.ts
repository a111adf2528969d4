/** The two sites of the browser benches: a merchant with a token route, and a widget. */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/** Milliseconds that each answer takes; the same for every contestant. */
export interface Delays {
  token: number
  page: number
  script: number
}

const loaderBuild = new URL('../../packages/loader/dist', import.meta.url).pathname

export interface BenchSites {
  merchant: string
  widget: string
  /** When the widget's page was last asked for, in milliseconds since the epoch. */
  lastWidgetRequest(): number
  close(): Promise<void>
}

export async function startSites(
  contestants: Readonly<Record<string, string>>,
  takes: Delays,
): Promise<BenchSites> {
  let asked = 0
  let begun = 0
  const widget = await listen(
    new Hono()
      .get('/widget/', async (c) => {
        asked = performance.timeOrigin + performance.now()
        await delay(takes.page)
        return c.html(
          '<!doctype html><title>Widget</title><script src="/app.js"></script><button>Pay</button>',
        )
      })
      .get('/app.js', async (c) => {
        await delay(takes.script)
        return c.body("parent.postMessage('usable', '*')", 200, { 'content-type': 'text/javascript' })
      }),
  )
  const widgetUrl = `http://127.0.0.1:${widget.port}`
  const shop = await listen(
    new Hono()
      .get(
        '/loader/*',
        serveStatic({ root: loaderBuild, rewriteRequestPath: (path) => path.replace('/loader', '') }),
      )
      .post('/api/token', async (c) => {
        await delay(takes.token)
        return c.json({
          purchaseId: `bench-purchase-${String(++begun).padStart(7, '0')}`,
          accessToken: 'bench-token',
          widgetUrl,
          expiresAt: null,
          params: {},
        })
      })
      .get('/api/purchases/:id', (c) => c.json({ status: 'none', state: null, order: null, returnUrl: null }))
      .get('/contestants/:name', (c) => {
        const script = contestants[c.req.param('name')]
        return script ? c.html(page(script)) : c.notFound()
      }),
  )
  return {
    merchant: `http://localhost:${shop.port}`,
    widget: widgetUrl,
    lastWidgetRequest: () => asked,
    close: async () => {
      await Promise.all([widget.close(), shop.close()])
    },
  }
}

/** The page around a contestant: a button, and the clock that all share. */
const page = (script: string): string => `<!doctype html>
<meta charset="utf-8"><title>Bench</title>
<button id="buy">Buy</button>
<script>
  let clicked = 0, loaded = false
  const frameIn = (root) => root.querySelector('iframe') ??
    [...root.querySelectorAll('*')].map((node) => node.shadowRoot && frameIn(node.shadowRoot)).find(Boolean)
  window.usableAfter = new Promise((done) => {
    addEventListener('message', (event) => { if (event.data === 'usable') loaded = true })
    document.querySelector('#buy').addEventListener('click', () => {
      clicked = performance.now()
      window.clickedAt = performance.timeOrigin + clicked
      const look = () => {
        const frame = frameIn(document)
        const shown = frame && frame.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && frame.getBoundingClientRect().width > 50
        shown && loaded ? done(performance.now() - clicked) : requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, { capture: true })
  })
</script>
<script type="module">${script}</script>`

async function listen(app: Hono): Promise<{ port: number; close(): Promise<void> }> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0 }, ({ port }: AddressInfo) => {
      resolve({ port, close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}
