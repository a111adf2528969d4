/** The Buy button, and beneath it what is going on. */
import type { WidgetState } from '@purchase-widget/react'
import type { ReactNode } from 'react'
import { PurchaseOutcome } from '../purchase/PurchaseOutcome.tsx'
import { TestCards } from './TestCards.tsx'
import { type CheckoutOptions, useCheckout } from './useCheckout.ts'

export function CheckoutButton({ name, ...options }: CheckoutOptions & { name: string }): ReactNode {
  const { state, result, asking, translating, prepare, buy, askAgain } = useCheckout(options)
  const underWay = asking ? sentences.confirming : sentences[state.status]
  const busy = translating ? 'Getting the language…' : underWay
  return (
    // Without the script it leads to the same checkout.
    <form
      className="checkout"
      action="/api/purchase-widget/launch"
      onSubmit={(event) => {
        event.preventDefault()
        void buy()
      }}
    >
      <input type="hidden" name="product_id" value={options.productId} />
      <input type="hidden" name="locale" value={options.locale} />
      <button
        type="submit"
        className="button"
        aria-busy={busy !== undefined}
        onPointerEnter={() => prepare('pointer')}
        onFocus={() => prepare('focus')}
      >
        {result?.status === 'failure' ? 'Try again' : `Buy ${name}`}
      </button>
      <PurchaseOutcome result={result} busy={busy} onAskAgain={askAgain}>
        <span className="outcome-rest">Pay with a test card</span>
        <TestCards />
      </PurchaseOutcome>
    </form>
  )
}

/** What is said while something is under way. */
const sentences: Record<WidgetState['status'], string | undefined> = {
  idle: undefined,
  opening: 'Asking the shop for this purchase…',
  loading: 'Opening the checkout…',
  loaded: undefined,
  ready: undefined,
  detached: 'The checkout is in another window.',
  confirming: 'Asking the shop how it ended…',
  settled: undefined,
  destroyed: undefined,
}
