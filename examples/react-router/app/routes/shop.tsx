import { usePurchaseWidget } from '@purchase-widget/react'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'

/** A custom opener with the hook: a popup, then another page of the app. */
export default function Shop(): ReactElement {
  const navigate = useNavigate()
  const { state, open } = usePurchaseWidget({
    mode: 'popup',
    params: { product_id: 'gold-100' },
    // The router navigates to the next page itself.
    onReturn: (event) => event.preventDefault(),
    onSuccess: ({ verified, order }) => verified && navigate('/thanks', { state: order }),
  })

  return (
    <main>
      <title>Gold shop</title>
      <h1>100 gold</h1>
      <button type="button" onClick={open}>
        Buy for $0.99
      </button>
      {state.status === 'confirming' && <p role="status">One moment…</p>}
    </main>
  )
}
