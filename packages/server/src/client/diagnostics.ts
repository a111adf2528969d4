/**
 * Start and end of what this package does, on `diagnostics_channel` where the runtime has one: `purchase-widget:operation:start` and
 * `…:end`, likewise `lease` (a token that is created or taken over) and `fulfilment` (a job). Both get the same object, so that a tracer can join
 * them; it holds no value that was sent or received.
 */
import type { Channel } from 'node:diagnostics_channel'

interface Span {
  /** Of an operation, as the client calls it; the queue of a job. */
  readonly name: string
  /** At the end: the error's name, when it failed. */
  error?: string
}

// Asked for here, and not imported: not every runtime has it.
const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')

const channelsOf = (kind: string): readonly Channel[] =>
  diagnostics
    ? ['start', 'end'].map((moment) => diagnostics.channel(`purchase-widget:${kind}:${moment}`))
    : []

type Kind = 'operation' | 'lease' | 'fulfilment'

const channels: Readonly<Record<Kind, readonly Channel[]>> = {
  operation: channelsOf('operation'),
  lease: channelsOf('lease'),
  fulfilment: channelsOf('fulfilment'),
}

/** Runs a task between its two messages. Nearly free when nobody listens. */
export async function traced<T>(kind: Kind, name: string, task: () => Promise<T>): Promise<T> {
  const [start, end] = channels[kind]
  if (!start?.hasSubscribers && !end?.hasSubscribers) return task()
  const span: Span = { name }
  start?.publish(span)
  try {
    return await task()
  } catch (error) {
    span.error = error instanceof Error ? error.name : typeof error
    throw error
  } finally {
    end?.publish(span)
  }
}
