import type { ReactNode } from 'react'
import { catalogue, type Product, type ProductKind, priceOf } from '../../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Link } from './Link.tsx'
import { TestCards } from './TestCards.tsx'
import './shelves.css'

const shelves: { kind: ProductKind; title: string }[] = [
  { kind: 'item', title: 'For the road' },
  { kind: 'subscription', title: 'Month after month' },
  { kind: 'crypto', title: 'For the wallet' },
]

/** The catalogue. */
export function Shelves(): ReactNode {
  return (
    <>
      <section className="hero">
        <h1>
          Buy something. <br />
          Nobody gets charged.
        </h1>
        <div className="hero-aside">
          <p>
            A shop for digital goods and crypto, sold through the hosted purchase widget. The flow is the real
            one; the service behind it is a sandbox on this machine.
          </p>
          <TestCards />
        </div>
      </section>
      {shelves.map(({ kind, title }) => (
        <section key={kind} className="shelf" aria-labelledby={`shelf-${kind}`}>
          <h2 id={`shelf-${kind}`}>{title}</h2>
          <ul data-kind={kind}>
            {catalogue
              .filter((product) => product.kind === kind)
              .map((product) => (
                <li key={product.id}>
                  <Tile product={product} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Tile({ product }: { product: Product }): ReactNode {
  return (
    <Link className="tile" href={`/?product=${product.id}`}>
      <span className="stage">
        <Artwork productId={product.id} />
      </span>
      <span className="tile-name">{product.name}</span>
      <span className="tile-price">{priceOf(product)}</span>
      <span className="tile-pitch">{product.pitch}</span>
    </Link>
  )
}
