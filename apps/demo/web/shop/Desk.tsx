/** Where one product is bought: the goods and the button on one side, the code and the story on the other. */
import { type ReactNode, useCallback, useRef } from 'react'
import { type Product, priceOf } from '../../catalogue.ts'
import type { Cheat } from '../purchase/cheats.ts'
import type { Choices } from '../purchase/choices.ts'
import { Story } from '../story/Story.tsx'
import { Artwork } from './Artwork.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import { ProductCode } from './ProductCode.tsx'
import './desk.css'

interface DeskProps {
  product: Product
  choices: Choices
  cheat: Cheat
  onChoose: (name: keyof Choices, value: string) => void
  /** Above the goods: the page's own heading. */
  heading: ReactNode
  /** Whether the heading names the product already. */
  named?: boolean
  /** Below the button: how it opens. */
  children?: ReactNode
}

export function Desk({ product, choices, cheat, onChoose, heading, named, children }: DeskProps): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  const chooseLanguage = useCallback((locale: string) => onChoose('locale', locale), [onChoose])
  return (
    <section className="desk" data-mode={choices.mode} aria-label="Checkout">
      <div className="counter">
        {heading}
        <div className="goods">
          <div className="stage">
            <Artwork productId={product.id} />
          </div>
          <p>
            {!named && <strong>{product.name}</strong>}
            <span className="price">{priceOf(product)}</span>
          </p>
          <LanguageChoice value={choices.locale} onChange={chooseLanguage} />
        </div>
        <CheckoutButton
          // What was prepared for one way of buying is not for another.
          key={[product.id, cheat, ...Object.values(choices)].join(' ')}
          name={product.name}
          productId={product.id}
          cheat={cheat}
          container={container}
          {...choices}
        />
        <div className="frame">
          <p>The widget opens here.</p>
          <div ref={container} />
        </div>
      </div>
      <div className="witness">
        <ProductCode product={product} choices={choices} />
        <Story />
      </div>
      {children}
    </section>
  )
}
