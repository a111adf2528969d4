/** The shop's name, and the ways through it. */
import type { ReactNode } from 'react'
import lantern from '../lantern.svg'
import { Link } from './Link.tsx'

const views = [
  { href: '/', label: 'Shop' },
  { href: '/orders', label: 'Orders' },
  { href: '/account', label: 'Account' },
]

/** Pages that are not part of the React shop. */
const otherPages = [
  { href: '/plain.html', label: 'Script tag' },
  { href: '/webview.html', label: 'Webview' },
]

export function Header({ path }: { path: string }): ReactNode {
  return (
    <header className="header">
      <Link className="wordmark" href="/">
        <img src={lantern} alt="" width="36" height="36" />
        Lantern
      </Link>
      <nav aria-label="Shop">
        <ul>
          {views.map(({ href, label }) => (
            <li key={href}>
              <Link href={href} {...(href === path ? { 'aria-current': 'page' as const } : {})}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
        <ul className="other-pages" aria-label="The same shop without React">
          {otherPages.map(({ href, label }) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}
