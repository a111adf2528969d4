/** Keeps the console’s picture of the sandbox fresh. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { control, readState } from './control.ts'
import type { ConsoleState } from './protocol.ts'

/** Does something through the control plane, then looks again. */
export type Act = (...request: Parameters<typeof control>) => Promise<void>

export interface Watched {
  /** Null until the sandbox has answered once. */
  state: ConsoleState | null
  /** Whether the last look found the sandbox. */
  connected: boolean
  /** What the control plane refused last. */
  refusal: string | null
  act: Act
}

const everyMs = 1000

/** Looks at the sandbox once a second, while somebody looks at this page. */
export function useConsole(): Watched {
  const [state, setState] = useState<ConsoleState | null>(null)
  const [connected, setConnected] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const seen = useRef('')

  const look = useCallback(async () => {
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
      if (!document.hidden) await look()
      if (!stopped) timer = window.setTimeout(watch, everyMs)
    }
    void watch()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [look])

  const act: Act = async (...request) => {
    setRefusal(await control(...request))
    await look()
  }

  return { state, connected, refusal, act }
}

/** What each view is given. */
export interface ViewProps {
  state: ConsoleState
  act: Act
  /** The text that rows must hold to be shown; empty for all. */
  find: string
}
