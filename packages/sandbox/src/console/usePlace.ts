/** Which view the address asks for, and what to look for in it. */
import { useEffect, useState } from 'preact/hooks'

export interface Place<View extends string> {
  view: View
  /** Rows that hold this text are shown; empty for all. */
  find: string
}

/** The address of a view, as a link; with `find`, of the rows that hold that text. */
export const addressOf = (view: string, find = ''): string =>
  find ? `#/${view}/${encodeURIComponent(find)}` : `#/${view}`

/** Reads `#/orders` or `#/orders/ada%40example.com`; Back and links work, and a reload stays. */
export function usePlace<View extends string>(views: readonly View[], first: View): Place<View> {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [, name, find = ''] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(hash) ?? []
  return { view: views.find((view) => view === name) ?? first, find: decoded(find) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
