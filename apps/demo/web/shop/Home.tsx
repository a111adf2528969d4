/** The first screen: what this is, a purchase to try, its code and its story; below it the tour and the goods. */
import type { ReactNode } from 'react'
import { catalogue } from '../../catalogue.ts'
import { readChoices } from '../purchase/choices.ts'
import { Desk } from './Desk.tsx'
import { choose } from './location.ts'
import { Shelves } from './Shelves.tsx'
import { Tour } from './Tour.tsx'

const [first] = catalogue

export function Home({ query }: { query: URLSearchParams }): ReactNode {
  if (!first) return null
  return (
    <>
      <Desk
        product={first}
        choices={readChoices(query)}
        cheat="none"
        onChoose={choose}
        heading={
          <div className="claim">
            <h1>A checkout in one line</h1>
            <p>
              Sell digital goods and crypto through a hosted widget: one line in your page, one handler on
              your server. Try it: nobody is charged.
            </p>
          </div>
        }
      />
      <Tour />
      <Shelves />
    </>
  )
}
