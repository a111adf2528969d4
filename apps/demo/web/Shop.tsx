/** The first screen: an introduction, a purchase to try, its story and its code; below it the opening modes and the other goods. */
import { type ReactNode, useState } from 'react'
import { catalogue, findProduct, type Product, priceOf } from '../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { ChoiceGroup, type Choices, modes, readChoices, redirectPages } from './Choices.tsx'
import { CodePanel, reactSnippet, scriptTagSnippet } from './Code.tsx'
import { Desk } from './Desk.tsx'
import { serverCode } from './serverCode.ts'

export function Shop({ query }: { query: URLSearchParams }): ReactNode {
  const product = findProduct(query.get('product')) ?? catalogue[0]
  const [choices, setChoices] = useState(() => readChoices(query))

  /** Also updates the URL, so that a choice can be linked. */
  function choose(choice: Partial<Choices>): void {
    const all = { ...choices, ...choice }
    setChoices(all)
    history.replaceState(null, '', `?${new URLSearchParams({ product: product.id, ...all })}`)
  }

  const sold = { ...choices, productId: product.id, name: product.name }
  return (
    <>
      <Desk
        product={product}
        choices={choices}
        heading={
          <div className="claim">
            <h1>A checkout in one line</h1>
            <p>
              A demo shop for developers who sell digital goods or crypto. Press Buy, pay with a test card,
              and watch what page, server and service say to each other.
            </p>
          </div>
        }
        code={
          <CodePanel
            tabs={{
              'Script tag': scriptTagSnippet(sold),
              React: reactSnippet(sold),
              Server: serverCode,
            }}
          />
        }
      >
        <div className="choice-groups">
          <ChoiceGroup
            label="How it opens"
            name="mode"
            choices={modes}
            value={choices.mode}
            onChange={(mode) => choose({ mode })}
          />
          <ChoiceGroup
            label="Where the return page opens"
            name="redirectPage"
            choices={redirectPages}
            value={choices.redirectPage}
            onChange={(redirectPage) => choose({ redirectPage })}
          />
        </div>
      </Desk>
      <section className="shelf" aria-labelledby="shelf">
        <h2 id="shelf">What else is on the shelf</h2>
        <ul>
          {catalogue.map((each) => (
            <li key={each.id}>
              <Tile product={each} isChosen={each.id === product.id} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Tile({ product, isChosen }: { product: Product; isChosen: boolean }): ReactNode {
  return (
    <a className="tile" href={`/?product=${product.id}`} aria-current={isChosen}>
      <span className="stage">
        <Artwork productId={product.id} />
      </span>
      <span className="tile-name">{product.name}</span>
      <span className="tile-price">{priceOf(product)}</span>
      <span className="tile-pitch">{product.pitch}</span>
    </a>
  )
}
