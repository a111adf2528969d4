/** Injectable faults: the kind, the operation, and how often or for how long. */
import { z } from 'zod'

export const faultTargets = [
  'createAccessToken',
  'getTokenExpiry',
  'getOrderHistory',
  'getSubscription',
  'getTransaction',
  'createWidgetUser',
  'fetchUserDetails',
  'widgetPage',
  'widgetApi',
] as const
export type FaultTarget = (typeof faultTargets)[number]

const pages: readonly FaultTarget[] = ['widgetPage', 'widgetApi']

export const faultKinds = ['latency', 'status', 'reset', 'stall', 'malformed'] as const

interface Scope {
  /** One operation, or `*` for the seven of the interface. */
  operation: FaultTarget | '*'
  /** How many requests it affects. Default: unlimited. */
  count?: number | undefined
  /** How long it lasts, in milliseconds of real time. Default: unlimited. */
  forMs?: number | undefined
}

export type FaultOptions = Scope &
  (
    | { kind: 'latency'; latencyMs: number }
    /** `takesEffect`: the operation completes, and only its response is lost. */
    | {
        kind: 'status'
        status: number
        /** Seconds, as the header `Retry-After`. */
        retryAfter?: number | undefined
        takesEffect?: boolean | undefined
      }
    | { kind: 'reset'; takesEffect?: boolean | undefined }
    /** Sends the headers and half of the real body, then nothing more. The operation completes. */
    | { kind: 'stall' }
    /** Sends half of the real body as if it were complete. The operation completes. */
    | { kind: 'malformed' }
  )

export type Fault = FaultOptions & { id: number }

const scope = {
  operation: z.literal([...faultTargets, '*']).describe('`*` means the seven operations of the interface.'),
  count: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('The number of requests that it affects. Default: all.'),
  forMs: z.int().min(1).max(86_400_000).optional().describe('Milliseconds of real time. Default: unlimited.'),
}
const takesEffect = z.boolean().optional().describe('The operation takes effect; only its response is lost.')

export const faultSchema: z.ZodType<FaultOptions> = z.discriminatedUnion('kind', [
  z.strictObject({ ...scope, kind: z.literal('latency'), latencyMs: z.int().min(0).max(600_000) }),
  z.strictObject({
    ...scope,
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.int().min(0).max(86_400).optional().describe('Seconds.'),
    takesEffect,
  }),
  z.strictObject({ ...scope, kind: z.literal('reset'), takesEffect }),
  z.strictObject({ ...scope, kind: z.literal('stall') }),
  z.strictObject({ ...scope, kind: z.literal('malformed') }),
])

export interface Faults {
  add(options: FaultOptions): Fault
  /** Returns the oldest fault for this target, and decrements its count. */
  take(target: FaultTarget): Fault | undefined
  list(): Fault[]
  /** Returns false when no fault has this id. */
  remove(id: number): boolean
  clear(): void
  /** Replaces all faults, keeping the given ids; the time of timed faults starts again. */
  replace(faults: readonly Fault[]): void
}

export function createFaults(): Faults {
  let faults: (Fault & { until: number })[] = []
  let nextId = 1

  const live = (): typeof faults => {
    const now = performance.now()
    faults = faults.filter((fault) => fault.until > now && fault.count !== 0)
    return faults
  }

  return {
    add(options) {
      const fault = { ...options, id: nextId++ }
      faults.push(lasting(fault))
      return fault
    },
    take(target) {
      const fault = live().find(({ operation }) => meets(operation, target))
      if (fault?.count) fault.count -= 1
      return fault
    },
    list: () => live().map(({ until: _, ...fault }) => fault),
    remove(id) {
      const before = live().length
      faults = faults.filter((fault) => fault.id !== id)
      return faults.length < before
    },
    clear: () => {
      faults = []
    },
    replace(others) {
      faults = others.map(lasting)
    },
  }
}

const lasting = (fault: Fault): Fault & { until: number } => ({
  ...fault,
  until: performance.now() + (fault.forMs ?? Number.POSITIVE_INFINITY),
})

const meets = (operation: FaultOptions['operation'], target: FaultTarget): boolean =>
  operation === target || (operation === '*' && !pages.includes(target))
