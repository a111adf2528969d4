/** Reads JSON of the shop's own server. */
import { useCallback, useEffect, useState } from 'react'

export type Loaded<Data> =
  | { status: 'loading' }
  | { status: 'failed'; code: string; message: string }
  | { status: 'loaded'; data: Data }

/** Reads JSON of the shop's own server, and again on `reload()`. */
export function useJson<Data>(path: string): Loaded<Data> & { reload: () => void } {
  const [state, setState] = useState<Loaded<Data>>({ status: 'loading' })
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what asks for the same address again.
  useEffect(() => {
    const abort = new AbortController()
    readJson<Data>(path, { signal: abort.signal }).then(
      (data) => setState({ status: 'loaded', data }),
      (error: Error) => {
        if (abort.signal.aborted) return
        setState({
          status: 'failed',
          code: error instanceof RefusedError ? error.code : 'network',
          message: error.message,
        })
      },
    )
    return () => abort.abort()
  }, [path, round])

  return { ...state, reload: useCallback(() => setRound((n) => n + 1), []) }
}

/** An answer of the shop's server that says why not. */
export class RefusedError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** @throws RefusedError for anything but a success. */
export async function readJson<Data>(path: string, init?: RequestInit): Promise<Data> {
  const response = await fetch(path, init)
  const body = await response.json().catch(() => null)
  if (response.ok) return body
  throw new RefusedError(
    body?.error?.code ?? String(response.status),
    body?.error?.message ?? `The shop’s server answered ${response.status}.`,
  )
}
