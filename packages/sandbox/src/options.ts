/** The options of `createSandbox`, checked before anything is opened. */
import { z } from 'zod'
import { limitTableSchema } from './domain/kyc.ts'
import { parse } from './refusal.ts'
import type { Credentials, LimitTable } from './state/state.ts'

export interface SandboxOptions {
  /** Port of the API. Default: a free one. */
  port?: number | undefined
  /** Port of the widget page, another origin. Default: a free one. */
  widgetPort?: number | undefined
  /** A database file, which keeps everything but faults and the request log. Default: in memory. */
  db?: string | undefined
  /** Default: what the database file has, else new ones. */
  credentials?: Credentials | undefined
  /** What users may spend, before and after full KYC (U18). Default: `defaultLimits`. */
  limits?: LimitTable | undefined
  /** The sandbox's time at the start and after a reset. Default: now. */
  startAt?: Date | undefined
  /** Milliseconds before a webhook is sent again, doubled with each attempt, six attempts in all. Default 500. */
  webhookRetryMs?: number | undefined
  /** Hosts besides this machine that webhooks may go to, at any port: `['host.docker.internal']`. Default: none. */
  webhookHosts?: readonly string[] | undefined
}

const port = z.int().min(0).max(65_535)
const hostName = z
  .string()
  .regex(/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/, 'must be a host name in lower case, without a scheme or a port')
const secret = z.string().min(1, 'must not be empty')

const optionsSchema: z.ZodType<SandboxOptions> = z.strictObject({
  port: port.optional(),
  widgetPort: port.optional(),
  db: z.string().min(1, 'must name a file').optional(),
  credentials: z.strictObject({ apiKey: secret, secretKey: secret }).optional(),
  limits: limitTableSchema.optional(),
  startAt: z.date().optional(),
  webhookRetryMs: z.number().min(0).optional(),
  webhookHosts: z.array(hostName).optional(),
})

/** @throws Error naming the option that can't be used. */
export const checkOptions = (options: SandboxOptions): SandboxOptions =>
  parse(optionsSchema, options, 'options')
