/** The code behind the Buy button. The server's is this shop's own, file by file. */
import type { ReactNode } from 'react'
import type { Product } from '../../catalogue.ts'
import companionSource from '../../server/companion.ts?raw'
import createPurchaseSource from '../../server/createPurchase.ts?raw'
import type { Choices } from '../purchase/choices.ts'
import { CodePanel } from './CodePanel.tsx'
import { htmlSnippet, reactSnippet } from './snippets.ts'

export function ProductCode({ product, choices }: { product: Product; choices: Choices }): ReactNode {
  const chosen = { ...choices, productId: product.id, name: product.name }
  return (
    <div className="product-code">
      <h2>The code that does it</h2>
      <CodePanel
        tabs={[
          { label: 'React', code: reactSnippet(chosen) },
          { label: 'Script tag', code: htmlSnippet(chosen) },
          { label: 'What is sold', code: createPurchaseSource },
          { label: 'Server', code: companionSource },
        ]}
      />
    </div>
  )
}
