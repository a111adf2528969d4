import { useCallback, useEffect, useState } from 'react'

export type Loaded<Data> =
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | { status: 'loaded'; data: Data }

/** Reads JSON of the shop's own server, and again on `reload()`. */
export function useJson<Data>(path: string): Loaded<Data> & { reload: () => void } {
  const [state, setState] = useState<Loaded<Data>>({ status: 'loading' })
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what asks for the same address again.
  useEffect(() => {
    const abort = new AbortController()
    readJson<Data>(path, abort.signal).then(
      (data) => setState({ status: 'loaded', data }),
      (error: Error) => {
        if (!abort.signal.aborted) setState({ status: 'failed', message: error.message })
      },
    )
    return () => abort.abort()
  }, [path, round])

  return { ...state, reload: useCallback(() => setRound((n) => n + 1), []) }
}

async function readJson<Data>(path: string, signal: AbortSignal): Promise<Data> {
  const response = await fetch(path, { signal })
  const body = await response.json()
  if (!response.ok) throw new Error(body?.error?.message ?? `The shop’s server answered ${response.status}.`)
  return body
}
