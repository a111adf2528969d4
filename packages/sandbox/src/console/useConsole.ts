/** Keeps the console’s copy of the sandbox state up to date. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ConsoleState } from '../control/state.ts'

/** The props of each view. */
export interface ViewProps {
  state: ConsoleState
  act: Act
  /** Only rows that contain this text are shown; empty for all. */
  find: string
}

/** Calls the control plane, then refreshes the state. */
export type Act = (...request: Parameters<typeof control>) => Promise<void>

export interface Watched {
  /** Null until the first response. */
  state: ConsoleState | null
  /** Whether the last poll reached the sandbox. */
  connected: boolean
  /** The last refusal by the control plane. */
  refusal: string | null
  act: Act
}

const everyMs = 1000

/** Polls the sandbox once a second while this page is visible. */
export function useConsole(): Watched {
  const [state, setState] = useState<ConsoleState | null>(null)
  const [connected, setConnected] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const seen = useRef('')

  const refresh = useCallback(async () => {
    try {
      const { text, state } = await readState(AbortSignal.timeout(5000))
      if (text !== seen.current) setState(state)
      seen.current = text
      setConnected(true)
    } catch {
      setConnected(false)
    }
  }, [])

  useEffect(() => {
    let timer = 0
    let stopped = false
    const watch = async (): Promise<void> => {
      if (!document.hidden) await refresh()
      if (!stopped) timer = window.setTimeout(watch, everyMs)
    }
    void watch()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [refresh])

  const act: Act = async (...request) => {
    setRefusal(await control(...request))
    await refresh()
  }

  return { state, connected, refusal, act }
}

/** Calls the control plane that serves this page. Returns its refusal message, or null. */
async function control(
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

/** Also returns the state as text, so that an unchanged state is cheap to detect. */
async function readState(signal: AbortSignal): Promise<{ text: string; state: ConsoleState }> {
  const response = await fetch('/_sandbox/state', { signal })
  const text = await response.text()
  const state: ConsoleState = JSON.parse(text)
  return { text, state }
}
