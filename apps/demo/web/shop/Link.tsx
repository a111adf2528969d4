/** A link within the shop. */
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { navigate } from './location.ts'

/** A link within the shop: changes the view without a page load, and stays a real link for every other kind of click. */
export function Link({
  href,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }): ReactNode {
  function follow(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
    window.scrollTo(0, 0)
    // A reader who does not see the page change hears where they are.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    const { hash } = new URL(href, window.location.href)
    if (hash) requestAnimationFrame(() => document.querySelector(hash)?.scrollIntoView())
  }
  return <a {...rest} href={href} onClick={follow} />
}
