/** The purchase of one product: goods and button on one side, code and story on the other. */
import { type PurchaseResult, type UsePurchaseWidget, usePurchaseWidget } from '@purchase-widget/react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { type Product, priceOf } from '../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import type { Choices } from './Choices.tsx'
import { Outcome } from './Outcome.tsx'
import { Story, tell, tellResult, tellState } from './Story.tsx'

interface DeskProps {
  product: Product
  choices: Choices
  /** Whether the page fetches an access token and builds the widget's address itself. */
  pageToken?: boolean
  heading: ReactNode
  code: ReactNode
  /** Below the button. */
  children: ReactNode
}

export function Desk({ product, choices, pageToken = false, heading, code, children }: DeskProps): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  return (
    <section className="desk" data-mode={choices.mode} aria-label="Checkout">
      <div className="counter">
        {heading}
        <div className="goods">
          <div className="stage">
            <Artwork productId={product.id} />
          </div>
          <p>
            <strong>{product.name}</strong>
            <span className="price">{priceOf(product)}</span>
          </p>
        </div>
        <Checkout
          // A result belongs to the choices at the time of the purchase.
          key={[product.id, ...Object.values(choices)].join(' ')}
          product={product}
          choices={choices}
          pageToken={pageToken}
          container={container}
        />
        <div className="frame">
          <p>The widget opens here.</p>
          <div ref={container} />
        </div>
      </div>
      <div className="witness">
        <Story />
        {code}
      </div>
      {children}
    </section>
  )
}

interface CheckoutProps {
  product: Product
  choices: Choices
  pageToken: boolean
  /** The container of a frame. */
  container: RefObject<HTMLElement | null>
}

/** The Buy button, and below it the test cards or the outcome of the purchase. */
function Checkout({ product, choices: { mode, redirectPage }, pageToken, container }: CheckoutProps) {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  const widget = usePurchaseWidget({
    companion: '/api/purchase-widget',
    pageToken,
    ...(mode === 'iframe' ? { mode, container } : { mode }),
    redirectPage,
    params: { product_id: product.id },
    title: `${product.name}, ${priceOf(product)}`,
    onStateChange: tellState,
    // Also called for a purchase during which the page was reloaded.
    onResult: (ended) => {
      tellResult(ended)
      setResult(ended)
    },
    onReturn: (event) => {
      // Stays on this page, which shows the address.
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
    if (isIdle(widget)) {
      tell({ from: 'page', to: 'page', text: 'Click on Buy', call: `${mode}, ${redirectPage}`, begins: true })
      setResult(null)
    }
    void widget.open()
  }

  return (
    // Without scripts the form opens the same checkout.
    <form
      className="checkout"
      action="/api/purchase-widget/launch"
      onSubmit={(event) => {
        event.preventDefault()
        buy()
      }}
    >
      <input type="hidden" name="product_id" value={product.id} />
      <button type="submit" className="button" aria-busy={isInProgress(widget)}>
        {result?.status === 'failure' ? 'Try again' : `Buy ${product.name}`}
      </button>
      <Outcome result={result}>
        <TestCards />
      </Outcome>
    </form>
  )
}

const isIdle = ({ state }: UsePurchaseWidget): boolean =>
  state.status === 'idle' || state.status === 'settled'

/** Frame, dialog and window show this state in words. */
const isInProgress = ({ state }: UsePurchaseWidget): boolean =>
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
