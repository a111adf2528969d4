/** One widget in the page's hands: opens it, tells the story of it, and says what became of it. */
import { getPendingResult } from '@purchase-widget/loader'
import { type PurchaseResult, usePurchaseWidget, type WidgetState } from '@purchase-widget/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Cheat, tamper } from '../purchase/cheats.ts'
import type { Choices } from '../purchase/choices.ts'
import { stepOfResult, stepOfState } from '../story/steps.ts'
import { tell } from '../story/tell.ts'
import { useStrings } from './useStrings.ts'

const companion = '/api/purchase-widget'

export interface CheckoutOptions extends Choices {
  productId: string
  cheat: Cheat
  /** Where a frame goes. */
  container: RefObject<HTMLElement | null>
}

export interface Checkout {
  state: WidgetState
  result: PurchaseResult | null
  /** Whether the shop's server is being asked once more. */
  asking: boolean
  /** Whether the checkout's language is on its way. */
  translating: boolean
  /** A pointer is on the button, or the focus: the purchase may begin soon. */
  prepare(by: 'pointer' | 'focus'): void
  buy(): Promise<void>
  askAgain(): Promise<void>
}

export function useCheckout({
  productId,
  mode,
  redirectPage,
  token,
  locale,
  cheat,
  container,
}: CheckoutOptions): Checkout {
  /** The first story begins with the pointer or the focus on the button, because then the token is asked for. */
  const prelude = useRef<'untold' | 'told' | 'over'>('untold')

  const { strings, loading } = useStrings(locale)
  const { result, setResult, asking, askAgain } = useResult()
  const widget = usePurchaseWidget({
    companion,
    pageToken: token !== 'server',
    ...(mode === 'iframe' ? { mode, container } : { mode }),
    redirectPage,
    preload: 'intent',
    ...(strings ? { locale, strings } : {}),
    params: { product_id: productId },
    onStateChange: (state) => {
      const step = stepOfState(state)
      if (step) tell(step)
    },
    // Also of the purchase in which the page was reloaded.
    onResult: (ended) => {
      tell(stepOfResult(ended))
      setResult(ended)
    },
    onReturn: ({ info }) =>
      tell({
        from: 'widget',
        to: 'page',
        text: 'Says that it is over, which is only a hint',
        call: `return: ${info.status}`,
      }),
  })

  useEffect(() => tamper(cheat, tellChange), [cheat])

  function prepare(by: 'pointer' | 'focus'): void {
    if (prelude.current !== 'untold') return
    prelude.current = 'told'
    tell({ from: 'page', to: 'page', text: `The ${by} is on the button`, begins: true })
    widget.preload()
  }

  /** Bought before the language is there: it opens in that language, as soon as it is. */
  const awaitsLanguage = useRef(false)
  useEffect(() => {
    if (!loading && awaitsLanguage.current) void buy()
  })

  async function buy(): Promise<void> {
    awaitsLanguage.current = loading
    if (loading) return
    if (!isAtRest(widget.state)) {
      tell({ from: 'page', to: 'page', text: 'Another click' })
      await widget.open()
      return
    }
    const begins = prelude.current === 'told' ? {} : { begins: true as const }
    tell({ from: 'page', to: 'page', text: 'Click on Buy', call: `${mode}, ${redirectPage}`, ...begins })
    prelude.current = 'over'
    setResult(null)
    await widget.open()
  }

  return { state: widget.state, result, asking, translating: loading, prepare, buy, askAgain }
}

/** What became of the last purchase, and asking the shop's server once more. */
function useResult() {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  const [asking, setAsking] = useState(false)

  async function askAgain(): Promise<void> {
    setAsking(true)
    const known = await getPendingResult({ companion })
    setAsking(false)
    if (!known) return
    tell(stepOfResult(known))
    setResult(known)
  }

  return { result, setResult, asking, askAgain }
}

const tellChange = (names: string[]): void =>
  tell({ from: 'page', to: 'page', text: `The shopper changes ${names.join(' and ')}`, tone: 'bad' })

const isAtRest = ({ status }: WidgetState): boolean => status === 'idle' || status === 'settled'
