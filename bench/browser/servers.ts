/** The two sites of the browser benches: a merchant with a token route, and a widget. */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'

/** Delay of each response in milliseconds; the same for every contestant. */
export interface Delays {
  token: number
  page: number
  script: number
}

const loaderBuild = new URL('../../packages/loader/dist', import.meta.url).pathname

export interface BenchSites {
  merchant: string
  widget: string
  /** Time of the last request for the widget's page, in milliseconds since the epoch. */
  lastWidgetRequest(): number
  close(): Promise<void>
}

export async function startSites(
  contestants: Readonly<Record<string, string>>,
  takes: Delays,
  scripts: Readonly<Record<string, string>> = {},
): Promise<BenchSites> {
  let asked = 0
  let created = 0
  const widget = await listen(
    new Hono()
      .use(isolated)
      .get('/app.js', async (c) => {
        await delay(takes.script)
        return c.body("parent.postMessage('usable', '*')", 200, { 'content-type': 'text/javascript' })
      })
      .get('/favicon.ico', (c) => c.body(null, 204))
      // Peers use their own addresses.
      .get('*', async (c) => {
        asked = performance.timeOrigin + performance.now()
        await delay(takes.page)
        return c.html(
          '<!doctype html><title>Widget</title><script src="/app.js"></script><button>Pay</button>',
        )
      }),
  )
  const widgetUrl = `http://127.0.0.1:${widget.port}`
  const shop = await listen(
    new Hono()
      .use('/isolated/*', isolated)
      .get('/scripts/:name', (c) => {
        const script = scripts[c.req.param('name')]
        return script === undefined
          ? c.notFound()
          : c.body(script, 200, { 'content-type': 'text/javascript' })
      })
      .get(
        '/loader/*',
        serveStatic({ root: loaderBuild, rewriteRequestPath: (path) => path.replace('/loader', '') }),
      )
      .post('/api/token', async (c) => {
        await delay(takes.token)
        return c.json({
          purchaseId: `bench-purchase-${String(++created).padStart(7, '0')}`,
          accessToken: 'bench-token',
          widgetUrl,
          expiresAt: null,
          params: {},
        })
      })
      .get('/api/launch', async (c) => {
        await delay(takes.token)
        return c.redirect(`${widgetUrl}/widget/?accessToken=bench-token`, 303)
      })
      .get('/api/purchases/:id', (c) => c.json({ status: 'none', state: null, order: null, returnUrl: null }))
      .get('/isolated/:name', (c) => answer(c, contestants[c.req.param('name')], widgetUrl))
      .get('/contestants/:name', (c) => answer(c, contestants[c.req.param('name')], widgetUrl)),
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

/** An isolated page has the high-resolution clock. It could not observe a popup. */
const isolated: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('cross-origin-opener-policy', 'same-origin')
  c.res.headers.set('cross-origin-embedder-policy', 'require-corp')
  c.res.headers.set('cross-origin-resource-policy', 'cross-origin')
}

const answer = (c: Context, script: string | undefined, widgetUrl: string): Response | Promise<Response> =>
  script ? c.html(page(script, widgetUrl)) : c.notFound()

/** The page around a contestant: a button, and the clock shared by all. */
const page = (script: string, widgetUrl: string): string => `<!doctype html>
<meta charset="utf-8"><title>Bench</title>
<button id="buy">Buy</button><div id="slot" style="width:400px;height:600px"></div>
<script>
  const widgetOrigin = '${widgetUrl}'
  let clicked = 0, loaded = false
  const frameIn = (root) => root.querySelector('iframe') ??
    [...root.querySelectorAll('*')].map((node) => node.shadowRoot && frameIn(node.shadowRoot)).find(Boolean)
  window.usableAfter = new Promise((done) => {
    addEventListener('message', (event) => { if (event.data === 'usable') loaded = true })
    document.querySelector('#buy').addEventListener('click', () => {
      clicked = performance.now()
      window.clickedAt = performance.timeOrigin + clicked
      const check = () => {
        const frame = frameIn(document)
        const shown = frame && frame.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && frame.getBoundingClientRect().width > 50
        shown && loaded ? done(performance.now() - clicked) : requestAnimationFrame(check)
      }
      requestAnimationFrame(check)
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
