/** The shop: one page, whose view the address chooses. */
import type { ReactNode } from 'react'
import { findProduct } from '../../catalogue.ts'
import { Account } from './Account.tsx'
import { Header } from './Header.tsx'
import { Home } from './Home.tsx'
import { useLocation } from './location.ts'
import { Orders } from './Orders.tsx'
import { ProductPage } from './ProductPage.tsx'
import './shop.css'

/** `address` is the page's own. */
export function App({ address }: { address: string }): ReactNode {
  const location = useLocation(address)
  return (
    <>
      <Header path={location.pathname} />
      <main id="content" tabIndex={-1}>
        <View location={location} />
      </main>
    </>
  )
}

function View({ location }: { location: URL }): ReactNode {
  if (location.pathname === '/account') return <Account />
  if (location.pathname === '/orders') return <Orders />
  const product = findProduct(location.searchParams.get('product'))
  return product ? (
    <ProductPage key={product.id} product={product} query={location.searchParams} />
  ) : (
    <Home query={location.searchParams} />
  )
}
