/** The code behind the Buy button. The server's and the return page's are this shop's own, file by file. */
import type { ReactNode } from 'react'
import type { Product } from '../../catalogue.ts'
import companionSource from '../../server/companion.ts?raw'
import createPurchaseSource from '../../server/createPurchase.ts?raw'
import fulfilSource from '../../server/fulfil.ts?raw'
import type { Choices } from '../purchase/choices.ts'
import returnSource from '../return/main.tsx?raw'
import { CodePanel } from './CodePanel.tsx'
import { htmlSnippet, reactSnippet } from './snippets.ts'

export function ProductCode({ product, choices }: { product: Product; choices: Choices }): ReactNode {
  const chosen = { ...choices, productId: product.id, name: product.name }
  return (
    <CodePanel
      tabs={[
        { label: 'Script tag', code: htmlSnippet(chosen) },
        { label: 'React', code: reactSnippet(chosen) },
        { label: 'Server', code: companionSource },
        { label: 'Price', code: createPurchaseSource },
        { label: 'Delivery', code: fulfilSource },
        { label: 'Return page', code: returnSource },
      ]}
    />
  )
}
