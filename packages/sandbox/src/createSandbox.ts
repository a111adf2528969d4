/** Starts the whole service locally: two origins, one state. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { defaultLimits } from './domain/kyc.ts'
import { failInterruptedPayments } from './domain/payments.ts'
import { plantSeed, registerWebhook, replaceWebhook, startOver } from './domain/seed.ts'
import { createApiApp } from './http/apiApp.ts'
import type { AppEnv } from './http/middleware.ts'
import { createWidgetApp } from './http/widgetApp.ts'
import { anyAddress } from './loopback.ts'
import { checkOptions, type SandboxOptions } from './options.ts'
import { type Credentials, openState } from './state/state.ts'
import { queueWebhooks } from './webhooks/queue.ts'
import { checkWebhookUrl, createWebhookSender } from './webhooks/sender.ts'

/** A running sandbox. Addresses have no trailing slash. */
export interface Sandbox {
  urls: {
    /** The widget page is at `${widgetUrl}/widget/`. */
    widgetUrl: string
    /** Address of sections 4.1 to 4.3. */
    widgetApiUrl: string
    /** Address of sections 4.4 to 4.7. */
    baseUrl: string
    /** The control plane: `${controlUrl}/reset` and so on. */
    controlUrl: string
  }
  credentials: Credentials
  /** Restores the initial state; credentials stay as they are. */
  reset(): void
  /**
   * Replaces the `webhook` option, for a server whose address is known only once the sandbox has started.
   *
   * @throws Error when webhooks must not be sent there.
   */
  setWebhook(url: string): void
  /** Stops both servers and closes the database. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts a sandbox: the seven operations, the widget page, test cards, webhooks and the control plane. Any number run side
 * by side in one process.
 *
 * @throws Error when an option is invalid, a port is in use or the database file can't be opened; nothing is left running then.
 */
export async function createSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
  const options = checkOptions(given)
  const { host = '127.0.0.1' } = options
  const closing = new AbortController()
  const state = openState({
    db: options.db,
    apiKey: options.apiKey,
    secretKey: options.secretKey,
    seed: options.seed ?? {},
    webhook: options.webhook,
    hostNames: hostNamesOf(options),
    publicOrigin: originOf(options.apiPublicUrl),
    limits: options.limits ?? defaultLimits,
    startAt: options.startAt,
    webhookHosts: options.webhookHosts ?? [],
    closing: closing.signal,
  })
  const sender = createWebhookSender(state, options.webhookRetryMs ?? 500)
  state.announce = (event) => queueWebhooks(state, event)
  state.onWebhookQueued = sender.queue
  const servers: Server[] = []

  async function shutDown(): Promise<void> {
    closing.abort()
    sender.stop()
    await Promise.all(servers.map(stop))
    state.db.close()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= shutDown()
    return closed
  }

  const start = async (app: Hono<AppEnv>, port: number | undefined, option: string): Promise<string> => {
    const server = await listen(app, host, port ?? 0, option)
    servers.push(server)
    return addressOf(server, host)
  }

  try {
    failInterruptedPayments(state)
    if (options.webhook) checkWebhookUrl(state, options.webhook)
    plantSeed(state)
    registerWebhook(state)
    const api = await start(createApiApp(state), options.port, 'port')
    const widget = await start(createWidgetApp(state), options.widgetPort, 'widgetPort')
    const baseUrl = originOf(options.apiPublicUrl) ?? api
    const widgetUrl = originOf(options.widgetPublicUrl) ?? widget
    sender.resume()
    return {
      urls: { widgetUrl, widgetApiUrl: baseUrl, baseUrl, controlUrl: `${baseUrl}/_sandbox` },
      credentials: state.credentials,
      reset: () => startOver(state),
      setWebhook(url) {
        checkWebhookUrl(state, url)
        replaceWebhook(state, url)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function listen(app: Hono<AppEnv>, host: string, port: number, option: string): Promise<Server> {
  // Created by the createServer of node:http that is passed in.
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    // Node's default of 5 s can expire between two requests of a test on a busy machine, and the second request is then reset.
    serverOptions: { keepAliveTimeout: 600_000 },
    overrideGlobalObjects: false,
  }) as Server
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'EADDRINUSE' ? portTaken(port, option, cause) : cannotListen(host, cause)),
    )
    server.listen(port, host, () => resolve(server))
  })
}

const portTaken = (port: number, option: string, cause: Error): Error =>
  new Error(
    `Port ${port} is taken. Stop what listens there, or set ${option} to another one, or to 0 for a free one.`,
    {
      cause,
    },
  )

const cannotListen = (host: string, cause: NodeJS.ErrnoException): Error =>
  new Error(`host ${host} cannot be used (${cause.code}): set it to a local address.`, { cause })

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** The address for programs on the same machine. */
function addressOf(server: Server, host: string): string {
  // The address of a server that listens on a port is an object, not a string.
  const { port } = server.address() as AddressInfo
  const name = anyAddress.includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

const originOf = (url: string | undefined): string | undefined => (url ? new URL(url).origin : undefined)

/** @throws Error for a host that is not valid in a URL. */
function hostNamesOf({ host, apiPublicUrl, widgetPublicUrl }: SandboxOptions): string[] {
  const named =
    host && !anyAddress.includes(host) ? `http://${host.includes(':') ? `[${host}]` : host}` : undefined
  if (named && !URL.canParse(named)) throw new Error(`host ${host} is not an address, such as 127.0.0.1.`)
  return [named, apiPublicUrl, widgetPublicUrl].flatMap((url) => (url ? [new URL(url).hostname] : []))
}
