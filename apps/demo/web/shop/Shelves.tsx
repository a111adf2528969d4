/** The catalogue, on three shelves. */
import type { ReactNode } from 'react'
import { catalogue, type Product, type ProductKind, priceOf } from '../../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Link } from './Link.tsx'
import './shelves.css'

const shelves: { kind: ProductKind; title: string }[] = [
  { kind: 'item', title: 'Goods' },
  { kind: 'subscription', title: 'Subscriptions' },
  { kind: 'crypto', title: 'Crypto' },
]

export function Shelves(): ReactNode {
  return shelves.map(({ kind, title }) => (
    <section key={kind} className="shelf" aria-labelledby={`shelf-${kind}`}>
      <h2 id={`shelf-${kind}`}>{title}</h2>
      <ul>
        {catalogue
          .filter((product) => product.kind === kind)
          .map((product) => (
            <li key={product.id}>
              <Tile product={product} />
            </li>
          ))}
      </ul>
    </section>
  ))
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
