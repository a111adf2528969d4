/** The shop's addresses need no router: a subscription to the history, and links that write to it. */
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** The current address; the component renders again when it changes. `first` is that of the page that the server has drawn. */
export function useLocation(first: string): URL {
  const href = useSyncExternalStore(
    subscribe,
    () => window.location.href,
    () => first,
  )
  return new URL(href)
}

function changed(): void {
  for (const listener of listeners) listener()
}

/** Puts a choice into the address, so that it can be linked to. */
export function choose(name: string, value: string): void {
  const query = new URLSearchParams(window.location.search)
  query.set(name, value)
  history.replaceState(null, '', `?${query}`)
  changed()
}

/** A link within the shop: changes the view without a page load, and stays a real link for every other kind of click. */
export function Link({
  href,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }): ReactNode {
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.pushState(null, '', href)
    changed()
    window.scrollTo(0, 0)
    // A reader who does not see the page change hears where they are.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }
  return <a {...rest} href={href} onClick={follow} />
}
