/** The shop's three addresses need no router: a subscription to the history, and links that write to it. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/**
 * The current address within the site; the component renders again when it changes. `first` is the address of the page that the server
 * has drawn.
 */
export function useLocation(first: string): URL {
  const href = useSyncExternalStore(
    subscribe,
    () => window.location.href,
    () => first,
  )
  return new URL(href)
}

/** Goes to another address of the shop. `replace` keeps Back pointing where it did. */
export function navigate(to: string | URL, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  for (const listener of listeners) listener()
}

/** Puts a choice into the address, so that it can be linked to. */
export function choose(name: string, value: string): void {
  const query = new URLSearchParams(window.location.search)
  query.set(name, value)
  navigate(`?${query}`, { replace: true })
}
