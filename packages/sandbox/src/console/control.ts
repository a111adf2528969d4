/** Sends the console’s requests to the control plane. */
import type { ConsoleState } from './protocol.ts'

/** Calls the control plane that this page is part of. Gives what it refused, in its own words, or null. */
export async function control(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<string | null> {
  const request = {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }
  const response = await fetch(`/_sandbox/${path}`, request).catch(() => null)
  if (!response) return 'The sandbox did not answer.'
  if (response.ok) return null
  const { message } = Object(await response.json().catch(() => null))
  return typeof message === 'string' ? message : `The sandbox answered ${response.status}.`
}

/** The state as text, too: whoever compares it sees at once that nothing has changed. */
export async function readState(signal: AbortSignal): Promise<{ text: string; state: ConsoleState }> {
  const response = await fetch('/_sandbox/state', { signal })
  const text = await response.text()
  const state: ConsoleState = JSON.parse(text)
  return { text, state }
}
