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

/** The current address within the site; the component renders again when it changes. */
export function useLocation(): URL {
  const href = useSyncExternalStore(subscribe, () => window.location.href)
  return new URL(href)
}

/** Goes to another address of the shop. `replace` keeps Back pointing where it did. */
export function navigate(to: string | URL, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  for (const listener of listeners) listener()
}
