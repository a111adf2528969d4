import type { ReactElement } from 'react'
import { useLocation } from 'react-router'

/** The shop navigates here with an order that its server has verified; opening the address directly shows none. */
export default function Thanks(): ReactElement {
  const { state } = useLocation()
  return (
    <main>
      <title>Your purchase</title>
      <h1>{state ? 'It is yours' : 'Your purchase'}</h1>
      <p role="status">
        {state ? `Order ${state.id} is complete.` : 'Only the shop’s server knows how it ended.'}
      </p>
    </main>
  )
}
