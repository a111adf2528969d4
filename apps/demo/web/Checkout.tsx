/** The Buy button, and beneath it the test cards or what became of the purchase. */
import { type PurchaseResult, type UsePurchaseWidget, usePurchaseWidget } from '@purchase-widget/react'
import { type ReactNode, type RefObject, useState } from 'react'
import { type Product, priceOf } from '../catalogue.ts'
import type { Choices } from './choices.ts'
import { Outcome } from './Outcome.tsx'
import { tell, tellResult, tellState } from './tell.ts'

interface CheckoutProps {
  product: Product
  choices: Choices
  pageToken: boolean
  /** Where a frame goes. */
  container: RefObject<HTMLElement | null>
}

export function Checkout({ product, choices: { mode, redirectPage }, pageToken, container }: CheckoutProps) {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  const widget = usePurchaseWidget({
    companion: '/api/purchase-widget',
    pageToken,
    ...(mode === 'iframe' ? { mode, container } : { mode }),
    redirectPage,
    params: { product_id: product.id },
    title: `${product.name}, ${priceOf(product)}`,
    onStateChange: tellState,
    // Also of the purchase in which the page was reloaded.
    onResult: (ended) => {
      tellResult(ended)
      setResult(ended)
    },
    onReturn: (event) => {
      // Keeps this page, where the address is shown.
      if (pageToken) event.preventDefault()
      tell({
        from: 'widget',
        to: 'page',
        text: 'Says that it is over, which is only a hint',
        call: `return: ${event.info.status}`,
      })
    },
  })

  function buy(): void {
    if (isAtRest(widget)) {
      tell({ from: 'page', to: 'page', text: 'Click on Buy', call: `${mode}, ${redirectPage}`, begins: true })
      setResult(null)
    }
    void widget.open()
  }

  return (
    // Without the script it leads to the same checkout.
    <form
      className="checkout"
      action="/api/purchase-widget/launch"
      onSubmit={(event) => {
        event.preventDefault()
        buy()
      }}
    >
      <input type="hidden" name="product_id" value={product.id} />
      <button type="submit" className="button" aria-busy={isOnItsWay(widget)}>
        {result?.status === 'failure' ? 'Try again' : `Buy ${product.name}`}
      </button>
      <Outcome result={result}>
        <TestCards />
      </Outcome>
    </form>
  )
}

const isAtRest = ({ state }: UsePurchaseWidget): boolean =>
  state.status === 'idle' || state.status === 'settled'

/** Frame, dialog and window say it in words. */
const isOnItsWay = ({ state }: UsePurchaseWidget): boolean =>
  ['opening', 'loading', 'confirming'].includes(state.status)

function TestCards(): ReactNode {
  return (
    <>
      <span className="outcome-rest">Pay with a test card</span>
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
      <span className="test-cards-rest">Any future date, any three digits.</span>
    </>
  )
}
