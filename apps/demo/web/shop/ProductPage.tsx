/** One product: choose how the widget opens, see the code for it, buy. The choices live in the address. */
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { type Product, priceOf } from '../../catalogue.ts'
import type { Cheat } from '../purchase/cheats.ts'
import { type Choices, modes, readChoices, redirectPages, tokenPlaces } from '../purchase/choices.ts'
import { Story } from '../story/Story.tsx'
import { Artwork } from './Artwork.tsx'
import { CheatPanel } from './CheatPanel.tsx'
import { CheckoutButton } from './CheckoutButton.tsx'
import { ChoiceGroup } from './ChoiceGroup.tsx'
import { Link } from './Link.tsx'
import { navigate } from './location.ts'
import { ProductCode } from './ProductCode.tsx'
import { TroublePanel } from './TroublePanel.tsx'
import './product.css'

export function ProductPage({ product, query }: { product: Product; query: URLSearchParams }): ReactNode {
  const choices = readChoices(query)
  const [chosenCheat, setCheat] = useState<Cheat>('none')
  // The page has nothing to change when it gets no token.
  const cheat = choices.token === 'page' ? chosenCheat : 'none'
  const container = useRef<HTMLDivElement>(null)

  function choose(name: keyof Choices, value: string): void {
    const next = new URLSearchParams(query)
    next.set(name, value)
    navigate(`?${next}`, { replace: true })
  }

  return (
    <article className="product" data-mode={choices.mode}>
      <div className="product-buy">
        <div className="counter">
          <p className="breadcrumb">
            <Link href="/">All goods</Link>
          </p>
          <h1>{product.name}</h1>
          <p className="pitch">{product.pitch}</p>
          <p className="price">{priceOf(product)}</p>
          <ChoiceGroups choices={choices} onChange={choose} />
          <CheckoutButton
            // What was prepared for one way of buying is not for another.
            key={`${cheat} ${choices.mode} ${choices.redirectPage} ${choices.token}`}
            name={product.name}
            productId={product.id}
            cheat={cheat}
            container={container}
            {...choices}
          />
        </div>
        <Story />
      </div>
      <Showcase product={product} choices={choices} container={container} />
      <CheatPanel product={product} token={choices.token} value={chosenCheat} onChange={setCheat} />
      <TroublePanel />
    </article>
  )
}

interface ChoiceGroupsProps {
  choices: Choices
  onChange: (name: keyof Choices, value: string) => void
}

function ChoiceGroups({ choices: { mode, redirectPage, token }, onChange }: ChoiceGroupsProps): ReactNode {
  return (
    <div className="choice-groups">
      <ChoiceGroup
        label="Mode"
        wide
        name="mode"
        choices={modes}
        value={mode}
        onChange={(value) => onChange('mode', value)}
      />
      <ChoiceGroup
        label="Redirect page"
        name="redirectPage"
        choices={redirectPages}
        value={redirectPage}
        onChange={(value) => onChange('redirectPage', value)}
      />
      <ChoiceGroup
        label="Token"
        name="token"
        choices={tokenPlaces}
        value={token}
        onChange={(value) => onChange('token', value)}
      />
    </div>
  )
}

interface ShowcaseProps {
  product: Product
  choices: Choices
  container: RefObject<HTMLDivElement | null>
}

/** The goods and the code; a framed widget opens over both. */
function Showcase({ product, choices, container }: ShowcaseProps): ReactNode {
  return (
    <div className="showcase">
      <div className="product-stage stage">
        <Artwork productId={product.id} />
      </div>
      <div className="product-frame">
        <p>The widget opens here.</p>
        <div ref={container} />
      </div>
      <ProductCode product={product} choices={choices} />
    </div>
  )
}
