/** The view and the filter that the URL specifies. */
import { useEffect, useState } from 'preact/hooks'

export interface Place<View extends string> {
  view: View
  /** Only rows that contain this text are shown; empty for all. */
  find: string
}

/** The link to a view; with `find`, to the rows that contain that text. */
export const addressOf = (view: string, find = ''): string =>
  find ? `#/${view}/${encodeURIComponent(find)}` : `#/${view}`

/** Reads `#/orders` or `#/orders/ada%40example.com`, so that Back, links and reloads work. */
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
