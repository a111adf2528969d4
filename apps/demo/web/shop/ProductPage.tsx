import { type PurchaseResult, usePurchaseWidget, type WidgetState } from '@purchase-widget/react'
import { type ReactNode, useRef, useState } from 'react'
import { type Product, paramsOf, priceOf } from '../../catalogue.ts'
import { modes, readChoices, redirectPages, returnAddresses } from '../purchase/choices.ts'
import { PurchaseOutcome } from '../purchase/PurchaseOutcome.tsx'
import { Story } from '../story/Story.tsx'
import { stepOfResult, stepOfState } from '../story/steps.ts'
import { tell } from '../story/tell.ts'
import { Artwork } from './Artwork.tsx'
import { ChoiceGroup } from './ChoiceGroup.tsx'
import { CodePanel } from './CodePanel.tsx'
import { Link } from './Link.tsx'
import { navigate } from './location.ts'
import { htmlSnippet, reactSnippet, serverSnippet } from './snippets.ts'
import { TestCards } from './TestCards.tsx'
import { TroublePanel } from './TroublePanel.tsx'
import './product.css'

/** One product: choose how the widget opens, see the code for it, buy. The choices live in the address. */
export function ProductPage({ product, query }: { product: Product; query: URLSearchParams }): ReactNode {
  const { mode, redirectPage } = readChoices(query)
  const params = paramsOf(product)
  const [result, setResult] = useState<PurchaseResult | null>(null)
  const frame = useRef<HTMLDivElement>(null)

  const widget = usePurchaseWidget({
    companion: '/api/purchase-widget',
    ...(mode === 'iframe' ? { mode, container: frame } : { mode }),
    redirectPage,
    preload: 'intent',
    params: { ...params, ...returnAddresses(window.location.origin) },
    onStateChange: (state) => {
      const step = stepOfState(state)
      if (step) tell(step)
    },
    onReturn: ({ info }) => tell({ from: 'widget', to: 'page', text: `return page: ${info.status}, a hint` }),
  })

  function choose(name: string, value: string): void {
    const next = new URLSearchParams(query)
    next.set(name, value)
    navigate(`?${next}`, { replace: true })
    setResult(null)
  }

  /** The first story begins with the pointer on the button, because then the token is asked for. */
  const prelude = useRef<'untold' | 'told' | 'over'>('untold')
  function prepare(): void {
    if (prelude.current !== 'untold') return
    prelude.current = 'told'
    tell({ from: 'page', to: 'page', text: 'a pointer on the button', begins: true })
    widget.preload()
  }

  async function buy(): Promise<void> {
    if (!isAtRest(widget.state)) {
      tell({ from: 'page', to: 'page', text: 'another click' })
      await widget.open()
      return
    }
    const begins = prelude.current === 'told' ? {} : { begins: true as const }
    tell({ from: 'page', to: 'page', text: `click: ${mode}, ${redirectPage}`, ...begins })
    prelude.current = 'over'
    setResult(null)
    const ended = await widget.open()
    tell(stepOfResult(ended))
    setResult(ended)
  }

  const code = { mode, redirectPage, params, name: product.name }
  return (
    <article className="product" data-mode={mode}>
      <div className="product-stage stage">
        <Artwork productId={product.id} />
      </div>
      <div className="product-frame">
        <p>The widget opens here.</p>
        <div ref={frame} />
      </div>

      <div className="counter">
        <p className="breadcrumb">
          <Link href="/">All goods</Link>
        </p>
        <h1>{product.name}</h1>
        <p className="pitch">{product.pitch}</p>
        <p className="price">{priceOf(product)}</p>

        <ChoiceGroup
          label="Mode"
          name="mode"
          choices={modes}
          value={mode}
          onChange={(value) => choose('mode', value)}
        />
        <ChoiceGroup
          label="Redirect page"
          name="redirectPage"
          choices={redirectPages}
          value={redirectPage}
          onChange={(value) => choose('redirectPage', value)}
        />

        <div className="checkout">
          <button type="button" className="button" onClick={buy} onPointerEnter={prepare} onFocus={prepare}>
            Buy {product.name}
          </button>
          <TestCards />
        </div>
        <PurchaseOutcome result={result} />
      </div>

      <div className="product-code">
        <h2>The code that does it</h2>
        <CodePanel
          tabs={[
            { label: 'React', code: reactSnippet(code) },
            { label: 'Script tag', code: htmlSnippet(code) },
            { label: 'Your server', code: serverSnippet() },
          ]}
        />
      </div>
      <Story />
      <TroublePanel />
    </article>
  )
}

const isAtRest = ({ status }: WidgetState): boolean => status === 'idle' || status === 'closed'
