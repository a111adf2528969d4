/** The shop: one page, whose view depends on the address. */
import type { AnnouncedReturn } from '@purchase-widget/loader/return'
import type { ReactNode } from 'react'
import lantern from './lantern.svg'
import { Orders } from './Orders.tsx'
import { ReturnPage } from './ReturnPage.tsx'
import { Shop } from './Shop.tsx'
import { TokenPage } from './TokenPage.tsx'
import './shop.css'

interface AppProps {
  /** The page's own address. */
  address: string
  /** Set on the return page, in a browser. */
  returned?: AnnouncedReturn | undefined
}

export function App({ address, returned }: AppProps): ReactNode {
  const { pathname, searchParams } = new URL(address)
  return (
    <>
      <Header path={pathname} />
      <main id="content" tabIndex={-1}>
        {viewOf(pathname, searchParams, returned)}
      </main>
    </>
  )
}

function viewOf(path: string, query: URLSearchParams, returned: AnnouncedReturn | undefined): ReactNode {
  switch (path) {
    case '/':
      return <Shop query={query} />
    case '/token':
      return <TokenPage />
    case '/orders':
      return <Orders />
    case '/return':
      return <ReturnPage returned={returned} />
    default:
      return <Nowhere />
  }
}

const views = { '/': 'Shop', '/token': 'With a token', '/orders': 'Orders' }

function Header({ path }: { path: string }): ReactNode {
  return (
    <header className="header">
      <a className="wordmark" href="/">
        <img src={lantern} alt="" width="36" height="36" />
        Lantern
      </a>
      <nav aria-label="Shop">
        <ul>
          {Object.entries(views).map(([href, label]) => (
            <li key={href}>
              <a href={href} aria-current={href === path ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}

function Nowhere(): ReactNode {
  return (
    <div className="nowhere">
      <h1>There is no such page</h1>
      <p>The address may be wrong, or the page has moved.</p>
      <a className="button" href="/">
        Back to the shop
      </a>
    </div>
  )
}
