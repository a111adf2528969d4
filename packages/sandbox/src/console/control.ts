import type { ConsoleState } from '../consoleProtocol.ts'

/** The control plane said no; the message is its own. */
export class ControlRefusal extends Error {}

/** Calls the control plane that this page is part of. */
export async function control(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<void> {
  const response = await fetch(`/_sandbox/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (response.ok) return
  const { message } = Object(await response.json().catch(() => null))
  throw new ControlRefusal(typeof message === 'string' ? message : `The sandbox answered ${response.status}.`)
}

/** The state as text, too: whoever compares it sees at once that nothing has changed. */
export async function readState(signal: AbortSignal): Promise<{ text: string; state: ConsoleState }> {
  const response = await fetch('/_sandbox/state', { signal })
  const text = await response.text()
  const state: ConsoleState = JSON.parse(text)
  return { text, state }
}
