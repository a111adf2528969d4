/** The options of `createSandbox`, checked before anything is opened. */
import { z } from 'zod'
import { limitTableSchema } from './domain/kyc.ts'
import { seedSchema } from './domain/seed.ts'
import { parse } from './refusal.ts'
import type { LimitTable, Seed } from './state/state.ts'

export interface SandboxOptions {
  /**
   * The address to listen on. Default `127.0.0.1`, reachable only from the same machine. Use the machine's own address, such as
   * `192.0.2.2`, for other machines, or `0.0.0.0` in a container, where requests to names other than localhost need the public
   * addresses. Any client that can reach it can control the sandbox.
   */
  host?: string | undefined
  /** Public URL of the API when it differs from the listening address, as in `https://sandbox.example`. */
  apiPublicUrl?: string | undefined
  /** The same for the widget page, on a different origin from the API. */
  widgetPublicUrl?: string | undefined
  /** Port of the API. Default: a free one. */
  port?: number | undefined
  /** Port of the widget page, which is a separate origin. Default: a free one. */
  widgetPort?: number | undefined
  /** A database file, which persists everything except faults and the request log. Default: in memory. */
  db?: string | undefined
  /** Default for each key: the one in the database file, else a new one. */
  apiKey?: string | undefined
  secretKey?: string | undefined
  /** Users, purchases, switches and webhook targets to start with, and to restore at a reset. Default: none. */
  seed?: Seed | undefined
  /** Spending limits before and after full KYC (U18). Default: `defaultLimits`. */
  limits?: LimitTable | undefined
  /** The sandbox's time at the start and after a reset. Default: now. */
  startAt?: Date | undefined
  /** Milliseconds before a webhook is retried, doubled with each attempt, six attempts in all. Default 500. */
  webhookRetryMs?: number | undefined
  /**
   * A webhook target that is registered at the start and after each reset, as in
   * `http://localhost:3000/api/purchase-widget/webhook/KEY`. Default: none.
   */
  webhook?: string | undefined
  /** Hosts besides localhost to which webhooks may be sent, on any port: `['host.docker.internal']`. Default: none. */
  webhookHosts?: readonly string[] | undefined
}

/** Whether a URL is just an origin; a trailing slash is allowed. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
}

const port = z.int().min(0).max(65_535)
const hostName = z
  .string()
  .regex(/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/, 'must be a host name in lower case, without a scheme or a port')
const publicUrl = z
  .string()
  .refine(isOrigin, 'must be an http or https address without a path, as in https://sandbox.example')
const secret = z.string().min(1, 'must not be empty')

const optionsSchema: z.ZodType<SandboxOptions> = z.strictObject({
  host: z.string().min(1, 'must not be empty').optional(),
  apiPublicUrl: publicUrl.optional(),
  widgetPublicUrl: publicUrl.optional(),
  port: port.optional(),
  widgetPort: port.optional(),
  db: z.string().min(1, 'must name a file').optional(),
  apiKey: secret.optional(),
  secretKey: secret.optional(),
  seed: seedSchema.optional(),
  limits: limitTableSchema.optional(),
  startAt: z.date().optional(),
  webhookRetryMs: z.number().min(0).optional(),
  webhook: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  webhookHosts: z.array(hostName).optional(),
})

/** @throws Error naming the invalid option. */
export const checkOptions = (options: SandboxOptions): SandboxOptions =>
  parse(optionsSchema, options, 'options')
