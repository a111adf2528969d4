/** Where one product is bought: goods and button on one side, the code and what happens on the other. */
import { type ReactNode, useRef } from 'react'
import { type Product, priceOf } from '../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Checkout } from './Checkout.tsx'
import type { Choices } from './choices.ts'
import { Story } from './Story.tsx'
import './desk.css'

interface DeskProps {
  product: Product
  choices: Choices
  /** Whether the page fetches an access token and builds the widget's address itself. */
  pageToken?: boolean
  heading: ReactNode
  code: ReactNode
  /** Below the button. */
  children: ReactNode
}

export function Desk({ product, choices, pageToken = false, heading, code, children }: DeskProps): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  return (
    <section className="desk" data-mode={choices.mode} aria-label="Checkout">
      <div className="counter">
        {heading}
        <div className="goods">
          <div className="stage">
            <Artwork productId={product.id} />
          </div>
          <p>
            <strong>{product.name}</strong>
            <span className="price">{priceOf(product)}</span>
          </p>
        </div>
        <Checkout
          // A result belongs to what was chosen when it was bought.
          key={[product.id, ...Object.values(choices)].join(' ')}
          product={product}
          choices={choices}
          pageToken={pageToken}
          container={container}
        />
        <div className="frame">
          <p>The widget opens here.</p>
          <div ref={container} />
        </div>
      </div>
      <div className="witness">
        <Story />
        {code}
      </div>
      {children}
    </section>
  )
}
