/** One product: choose how the widget opens, buy, see the code for it and what happens. The choices live in the address. */
import type { ReactNode } from 'react'
import type { Product } from '../../catalogue.ts'
import { cheatIn } from '../purchase/cheats.ts'
import { type Choices, modes, readChoices, redirectPages, tokenPlaces } from '../purchase/choices.ts'
import { CheatPanel } from './CheatPanel.tsx'
import { ChoiceGroup } from './ChoiceGroup.tsx'
import { Desk } from './Desk.tsx'
import { Link } from './Link.tsx'
import { choose } from './location.ts'
import { TroublePanel } from './TroublePanel.tsx'

export function ProductPage({ product, query }: { product: Product; query: URLSearchParams }): ReactNode {
  const choices = readChoices(query)
  const cheat = cheatIn(query, product)
  return (
    <article className="product">
      <Desk
        product={product}
        choices={choices}
        // The page has nothing to change when it gets no token.
        cheat={choices.token === 'page' ? cheat : 'none'}
        onChoose={choose}
        named
        heading={
          <div className="claim">
            <p className="breadcrumb">
              <Link href="/">All goods</Link>
            </p>
            <h1>{product.name}</h1>
            <p>{product.pitch}</p>
          </div>
        }
      >
        <ChoiceGroups choices={choices} />
      </Desk>
      <div className="panels">
        <CheatPanel
          product={product}
          token={choices.token}
          value={cheat}
          onChange={(value) => choose('cheat', value)}
        />
        <TroublePanel />
      </div>
    </article>
  )
}

function ChoiceGroups({ choices: { mode, redirectPage, token } }: { choices: Choices }): ReactNode {
  return (
    <div className="choice-groups">
      <ChoiceGroup
        label="How it opens"
        wide
        name="mode"
        choices={modes}
        value={mode}
        onChange={(value) => choose('mode', value)}
      />
      <ChoiceGroup
        label="Where the return page opens"
        name="redirectPage"
        choices={redirectPages}
        value={redirectPage}
        onChange={(value) => choose('redirectPage', value)}
      />
      <ChoiceGroup
        label="Where the token is"
        name="token"
        choices={tokenPlaces}
        value={token}
        onChange={(value) => choose('token', value)}
      />
    </div>
  )
}
