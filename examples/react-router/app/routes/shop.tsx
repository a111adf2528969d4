import { usePurchaseWidget } from '@purchase-widget/react'
import type { ReactElement } from 'react'
import { data, useNavigate } from 'react-router'
import { shopperOf, welcome } from '../session.server.ts'

/** The companion answers only for someone it knows: here everybody is a guest. */
export async function loader({ request }: { request: Request }) {
  const isKnown = (await shopperOf(request)) !== null
  return data(null, isKnown ? {} : { headers: { 'Set-Cookie': await welcome() } })
}

export const headers = ({ loaderHeaders }: { loaderHeaders: Headers }): Headers => loaderHeaders

/** An opener of one's own, with the hook: a popup, and then another page of the app. */
export default function Shop(): ReactElement {
  const navigate = useNavigate()
  const { state, open } = usePurchaseWidget({
    mode: 'popup',
    params: { product_id: 'gold-100' },
    // The router goes to the next page itself.
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
