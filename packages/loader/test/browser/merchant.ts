/**
 * The merchant's server for the tests' pages, on their own origin: a companion per test that can be told to misbehave; and, on
 * another origin, a page in the widget's place that says what it is told to.
 */
import { createServer, type Server } from 'node:http'
import { build, type Plugin } from 'vite'

export interface CompanionState {
  tokens: number
  orders: { id: string; type: string; decline: null | { code: string; reason: string; action: string } }[]
  /** How many times the orders were asked for. */
  reads: number
  tokenStatus: number
  /** What the token route answers, as it is, instead of a token. */
  tokenBody: string | null
  tokenDelay: number
  ordersStatus: number
  /** Seconds from now. */
  expiresIn: number
  params: Record<string, string>
}

const fresh = (): CompanionState => ({
  tokens: 0,
  orders: [],
  reads: 0,
  tokenStatus: 200,
  tokenBody: null,
  tokenDelay: 0,
  ordersStatus: 200,
  expiresIn: 604_800,
  params: { custom_id: 'shopper-1' },
})

/** Answers its parent or opener, back to where the request came from: `{ say }` itself, its query to `{ ask }`, its address to `{ where }`. */
const widgetPage = `<!doctype html><title>Widget</title><h1>Widget</h1><input>
<script>addEventListener('message', ({ data, source, origin }) => {
  const answer = data.where ? location.href : data.ask ? location.search : data.say
  if (answer) source.postMessage(answer, origin)
})</script>`

/** A source file of the loader as a classic script, as merchants load it. */
async function scriptOf(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: `${import.meta.dirname}/../../src/${name}.ts`, formats: ['iife'], name: 'script' },
    },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build gave nothing.')
  return bundle.output[0].code
}

export function merchant(): Plugin {
  const companions = new Map<string, CompanionState>()
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
        const delay = request.url?.includes('slow') ? 1_500 : 0
        setTimeout(() => response.setHeader('content-type', 'text/html').end(widgetPage), delay)
      })
      await new Promise<void>((resolve) => widget.listen(0, '127.0.0.1', resolve))
      httpServer?.on('close', () => {
        widget.close()
        widget.closeAllConnections()
      })
      const scripts = new Map<string, Promise<string>>()
      middlewares.use('/script', async (request, response) => {
        const name = (request.url ?? '').slice(1)
        const script = scripts.get(name) ?? scriptOf(name)
        scripts.set(name, script)
        response.setHeader('content-type', 'text/javascript').end(await script)
      })
      middlewares.use('/merchant', async (request, response) => {
        const [, id = '', route = '', order] = (request.url ?? '').split('/')
        const state = companions.get(id) ?? fresh()
        companions.set(id, state)
        const answer = (body: unknown, status = 200): void => {
          response.statusCode = status
          response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
        }
        if (route === 'token') {
          state.tokens++
          const { tokenStatus, tokenBody, tokenDelay, params, expiresIn } = state
          await new Promise((resolve) => setTimeout(resolve, tokenDelay))
          if (tokenBody !== null) {
            response.statusCode = tokenStatus
            return void response.end(tokenBody)
          }
          const expiresAt = new Date(Date.now() + expiresIn * 1_000)
          answer({ accessToken: 'canary-token', widgetUrl: widgetUrl(), expiresAt, params }, tokenStatus)
        } else if (route === 'orders' && order) {
          const found = state.orders.find((each) => each.id === order)
          answer(found ? { order: found } : {}, found ? 200 : 404)
        } else if (route === 'orders') {
          state.reads++
          answer({ orders: state.orders }, state.ordersStatus)
        } else if (route.startsWith('launch')) {
          const { search } = new URL(request.url ?? '', 'http://localhost')
          response.writeHead(state.tokenStatus === 200 ? 303 : state.tokenStatus, {
            location: `${widgetUrl()}/widget/${search}&accessToken=canary-token`,
          })
          response.end()
        } else if (request.method === 'POST') {
          const chunks: Buffer[] = []
          for await (const chunk of request) chunks.push(chunk as Buffer)
          Object.assign(state, JSON.parse(Buffer.concat(chunks).toString()))
          answer(state)
        } else answer({ ...state, widgetUrl: widgetUrl() })
      })
    },
  }
}
