/** Each entry point of the packages, with the types that a merchant uses. */
import '@purchase-widget/loader/element/react'
import { createPurchaseWidget, getPendingResult, type PurchaseResult } from '@purchase-widget/loader'
import { strings } from '@purchase-widget/loader/locales/de'
import { announceReturn } from '@purchase-widget/loader/return'
import { PurchaseWidget, type PurchaseWidgetProps } from '@purchase-widget/react'
import { createSandbox, type Sandbox } from '@purchase-widget/sandbox'
import { startTestSandbox } from '@purchase-widget/sandbox/testing'
import { clientFromEnv, type Order } from '@purchase-widget/server'
import { storeConformance } from '@purchase-widget/server/testing'

const companion = '/api/purchase-widget'

export const widget = createPurchaseWidget({
  companion,
  mode: 'popup',
  params: { product_id: 'gold-100' },
  strings,
})
export const results: Promise<PurchaseResult | null>[] = [
  widget.open(),
  getPendingResult({ companion }),
  announceReturn({ companion }).result,
]

export const Checkout = (props: Pick<PurchaseWidgetProps, 'title'>) => (
  <>
    <PurchaseWidget companion={companion} params={{ product_id: 'gold-100' }} {...props} />
    <purchase-widget companion={companion} mode="modal" />
  </>
)

export const orderOf = (id: string): Promise<Order> =>
  clientFromEnv(process.env).transactions.retrieve({ order_id: id })
export const sandboxes: (() => Promise<Sandbox>)[] = [() => createSandbox(), () => startTestSandbox()]
export const suite: typeof storeConformance = storeConformance
