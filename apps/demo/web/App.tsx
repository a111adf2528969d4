/** The shop: one page, whose view the address chooses. */
import type { AnnouncedReturn } from '@purchase-widget/loader/return'
import type { ReactNode } from 'react'
import lantern from './lantern.svg'
import { Link, useLocation } from './location.tsx'
import { Orders } from './Orders.tsx'
import { ReturnPage } from './ReturnPage.tsx'
import { Shop } from './Shop.tsx'
import { TokenPage } from './TokenPage.tsx'
import './shop.css'

interface AppProps {
  /** The page's own. */
  address: string
  /** On the return page, in a browser. */
  returned?: AnnouncedReturn | undefined
}

export function App({ address, returned }: AppProps): ReactNode {
  const location = useLocation(address)
  return (
    <>
      <Header path={location.pathname} />
      <main id="content" tabIndex={-1}>
        <View location={location} returned={returned} />
      </main>
    </>
  )
}

function View({ location, returned }: { location: URL; returned: AnnouncedReturn | undefined }): ReactNode {
  switch (location.pathname) {
    case '/token':
      return <TokenPage />
    case '/orders':
      return <Orders />
    case '/return':
      return <ReturnPage returned={returned} />
    default:
      return <Shop query={location.searchParams} />
  }
}

const views = { '/': 'Shop', '/token': 'With a token', '/orders': 'Orders' }

function Header({ path }: { path: string }): ReactNode {
  return (
    <header className="header">
      <Link className="wordmark" href="/">
        <img src={lantern} alt="" width="36" height="36" />
        Lantern
      </Link>
      <nav aria-label="Shop">
        <ul>
          {Object.entries(views).map(([href, label]) => (
            <li key={href}>
              <Link href={href} {...(href === path ? { 'aria-current': 'page' as const } : {})}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}
