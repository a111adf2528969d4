/** The sandbox's cards, and what goes with them. */
import type { ReactNode } from 'react'

export function TestCards(): ReactNode {
  return (
    <>
      <dl className="test-cards">
        <div>
          <dt>Pays</dt>
          <dd>
            <code>4242 4242 4242 4242</code>
          </dd>
        </div>
        <div>
          <dt>Is declined</dt>
          <dd>
            <code>4000 0000 0000 4004</code>
          </dd>
        </div>
      </dl>
      <span className="test-cards-rest">Any date to come, any three digits.</span>
    </>
  )
}
