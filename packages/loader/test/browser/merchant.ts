/**
 * The merchant's server for the test pages, on their own origin, with a companion per test that can be made to fail; and, on
 * another origin, a stand-in for the widget that sends the messages it is given.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { build, type Plugin } from 'vite'

export interface CompanionState {
  tokens: number
  /** The requests to `POST /launch` and `POST /token`, in order. */
  asked: {
    params?: Record<string, string>
    surface?: string
    redirectPage?: string
    authorization?: string
  }[]
  /** The purchases created, and what each sells. */
  ids: string[]
  sold: Record<string, Record<string, string>>
  /** The answer for every purchase; null for a field that the companion leaves out. */
  purchase: {
    status: string
    fresh?: boolean
    state?: string | null
    order?: object | null
    returnUrl?: string | null
    refused?: object
  }
  /** How many times it was requested, and how many times after a return. */
  reads: number
  returns: number
  purchaseStatus: number
  purchaseDelay: number
  tokenStatus: number
  /** The raw answer of the token route, instead of a token. */
  tokenBody: string | null
  tokenDelay: number
  launchStatus: number
  /** Tickets lead to the companion's refusal page. */
  refusesTickets: boolean
  /** How many times a ticket was opened. */
  launches: number
  /** The queries of links that created a purchase. */
  links: Record<string, string>[]
  /** The `Referer` of each of them; empty without one. */
  referers: string[]
  /** Seconds from now. */
  expiresIn: number
  /** What is sold in addition to the requested product. */
  params: Record<string, string>
  /** The merchant's return address, which the return page reports. */
  returnUrl: string | null
  /** Anything but 200 is a gateway's error page, without the script of the return page. */
  returnStatus: number
}

const fresh = (): CompanionState => ({
  tokens: 0,
  asked: [],
  ids: [],
  sold: {},
  purchase: { status: 'none' },
  reads: 0,
  returns: 0,
  purchaseStatus: 200,
  purchaseDelay: 0,
  tokenStatus: 200,
  tokenBody: null,
  tokenDelay: 0,
  launchStatus: 303,
  launches: 0,
  links: [],
  referers: [],
  refusesTickets: false,
  expiresIn: 604_800,
  params: { custom_id: 'shopper-1' },
  returnUrl: null,
  returnStatus: 200,
})

/** Replies to the sender of a message: to `{ say }` with its value, to `{ ask }` with the page's query, to `{ where }` with its address. */
const widgetPage = `<!doctype html><title>Widget</title><h1>Widget</h1><input>
<script>addEventListener('message', ({ data, source, origin }) => {
  if (data.go) return location.replace(data.go)
  const answer = data.where ? location.href : data.ask ? location.search : data.say
  if (answer) source.postMessage(answer, origin)
})</script>`

/** The companion's return page: notifies the page that shows the widget, and shows the reply as its title. */
const returnPage = (purchaseId: string, outcome: string, returnUrl: string | null): string =>
  `<!doctype html><title>Return</title><script>
const message = ${JSON.stringify({ source: 'purchase-widget', type: 'returned', purchaseId, outcome, returnUrl })}
const channel = new BroadcastChannel('purchase-widget:' + message.purchaseId)
const hear = ({ data }) => {
  if (data.type !== 'heard') return
  document.title = data.close ? 'heard close' : 'heard'
  if (data.close) close()
}
channel.onmessage = hear
addEventListener('message', hear)
const host = parent === window ? opener : parent
if (host) host.postMessage(message, location.origin)
channel.postMessage(message)
</script>`

/** The companion's page for a refused ticket, which asks its host to start over. */
const refusalPage = (
  purchaseId: string,
): string => `<!doctype html><title>Refused</title><button>Try again</button><script>
const host = parent === window ? opener : parent
document.querySelector('button').onclick = () =>
  host.postMessage(${JSON.stringify({ source: 'purchase-widget', type: 'retry', purchaseId })}, location.origin)
</script>`

const withPurchase = (url: string, id: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}purchase=${id}`

/** A source file of the loader as a classic script, as merchants load it; `before` runs first. */
async function scriptOf(name: string, before: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    // The element as shops serve it; without conditions of its own, Vite adds `development` in a test.
    resolve: name === 'element' ? { conditions: ['module', 'browser'] } : {},
    build: {
      write: false,
      lib: {
        entry: `${import.meta.dirname}/../../src/entries/${name}.ts`,
        formats: ['iife'],
        name: 'script',
      },
    },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build gave nothing.')
  return before + bundle.output[0].code
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}

function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

/** Creates a purchase: `POST /launch` returns a ticket, `POST /token` the token. */
async function grant(
  route: string,
  state: CompanionState,
  base: string,
  widgetUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body: CompanionState['asked'][number] = await bodyOf(request)
  const { authorization } = request.headers
  state.asked.push({ ...body, ...(authorization && { authorization }) })
  state.tokens++
  // The state when the call arrived: a test that has seen the call may change the next answer.
  const { tokenBody, tokenDelay, tokenStatus, expiresIn } = state
  await new Promise((resolve) => setTimeout(resolve, tokenDelay))
  if (tokenBody !== null) {
    response.statusCode = tokenStatus
    return void response.end(tokenBody)
  }
  const purchaseId = randomBytes(16).toString('base64url')
  state.ids.push(purchaseId)
  const { product_id = '' } = body.params ?? {}
  const params = { ...(product_id && { product_id }), ...state.params }
  state.sold[purchaseId] = params
  const expiresAt = new Date(Date.now() + expiresIn * 1_000)
  if (route === 'launch')
    answer(
      response,
      { purchaseId, launchUrl: `${base}/launch?ticket=${purchaseId}`, widgetOrigin: widgetUrl, params },
      tokenStatus,
    )
  else
    answer(response, { purchaseId, accessToken: 'canary-token', widgetUrl, expiresAt, params }, tokenStatus)
}

/** A link with an id that the page has generated creates a purchase, as `POST /launch` does. */
function beginByLink(state: CompanionState, id: string, query: Record<string, string>): void {
  const { product_id, surface = '', redirect_page: redirectPage = '' } = query
  const params = { ...(product_id && { product_id }) }
  state.ids.push(id)
  state.links.push(query)
  state.asked.push({ params, surface, redirectPage })
  state.tokens++
  state.sold[id] = { ...params, ...state.params }
}

async function serveCompanion(
  state: CompanionState,
  widgetUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
  const [, id, route, purchaseId = '', failed] = pathname.split('/')
  if (route === 'token' || (route === 'launch' && request.method === 'POST')) {
    await grant(route, state, `http://${request.headers.host}/merchant/${id}`, widgetUrl, request, response)
  } else if (route === 'purchases') {
    state.reads++
    if (search === '?returned=1') state.returns++
    if (state.purchaseDelay) await new Promise((resolve) => setTimeout(resolve, state.purchaseDelay))
    const known = state.ids.includes(purchaseId) ? state.purchase : { status: 'none' }
    answer(response, known, state.purchaseStatus)
  } else if (route === 'return') {
    const outcome = failed ? 'failure' : 'success'
    const page = returnPage(purchaseId, outcome, state.returnUrl && withPurchase(state.returnUrl, purchaseId))
    const isUp = state.returnStatus === 200
    response
      .writeHead(state.returnStatus, { 'content-type': 'text/html' })
      .end(isUp ? page : '<h1>502 Bad Gateway</h1>')
  } else if (route === 'launch') {
    state.launches++
    const query = new URLSearchParams(search)
    const id = query.get('purchase') ?? query.get('ticket') ?? ''
    if (query.has('purchase') && !state.ids.includes(id)) {
      beginByLink(state, id, Object.fromEntries(query))
      state.referers.push(request.headers.referer ?? '')
    }
    if (state.refusesTickets) return void response.setHeader('content-type', 'text/html').end(refusalPage(id))
    const sold = state.sold[id]
    const params = sold
      ? `?${new URLSearchParams({ accessToken: 'canary-token', ...sold })}`
      : `${search}&accessToken=canary-token`
    response.writeHead(state.launchStatus, { location: `${widgetUrl}/widget/${params}` })
    response.end()
  } else if (request.method === 'POST') {
    answer(response, Object.assign(state, await bodyOf(request)))
  } else answer(response, { ...state, widgetUrl })
}

/** @param before Script that runs in a page before the loader's script. */
export function merchant(before = ''): Plugin {
  const companions = new Map<string, CompanionState>()
  const scripts = new Map<string, Promise<string>>()
  let widget: Server
  const widgetUrl = (): string => {
    const address = widget.address()
    return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
  }
  return {
    name: 'merchant',
    async configureServer({ httpServer, middlewares }) {
      widget = createServer((request, response) => {
        if (request.url?.includes('hang')) return
        // Long enough, even on a busy machine, to check what is offered meanwhile.
        const delay = request.url?.includes('slow') ? 4_000 : 0
        setTimeout(() => response.setHeader('content-type', 'text/html').end(widgetPage), delay)
      })
      await new Promise<void>((resolve) => widget.listen(0, '127.0.0.1', resolve))
      httpServer?.on('close', () => {
        widget.close()
        widget.closeAllConnections()
      })
      /**
       * `__rest__` is the script tag's second file, which the build names; in a folder `missing` it answers 404, and in `hang` it never answers.
       * With `?served` the first file contains the widget's origin, as the companion serves it.
       */
      const serveScript = async (path: string, response: ServerResponse): Promise<void> => {
        const isRest = path.includes('__rest__')
        if (isRest && path.includes('hang')) return
        if (isRest && path.includes('missing')) return void response.writeHead(404).end()
        const [file = ''] = path.split('/').at(-1)?.split('?') ?? []
        const name = isRest ? 'scriptTagRest' : file.replace('purchase-widget.js', 'scriptTag')
        const script = scripts.get(name) ?? scriptOf(name, before)
        scripts.set(name, script)
        const text = await script
        const served = path.endsWith('?served') ? text.replace('{widget-origin}', widgetUrl()) : text
        response.setHeader('content-type', 'text/javascript').end(served)
      }
      middlewares.use('/script', (request, response) => serveScript(request.url ?? '', response))
      middlewares.use('/merchant', async (request, response) => {
        const [, id = ''] = (request.url ?? '').split(/[/?]/)
        const state = companions.get(id) ?? fresh()
        companions.set(id, state)
        if (/\/(purchase-widget\.js|__rest__)/.test(request.url ?? ''))
          return serveScript(request.url ?? '', response)
        await serveCompanion(state, widgetUrl(), request, response)
      })
    },
  }
}
