/** The catalogue, on three shelves. */
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
            Choose how the checkout opens, pay with a test card, and watch what happens between page, server
            and service. Then make it go wrong, or try to cheat.
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
      <span className="tile-price">{product.soldOut ? 'Sold out' : priceOf(product)}</span>
      <span className="tile-pitch">{product.pitch}</span>
    </Link>
  )
}
