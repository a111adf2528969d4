/** The widget page: starting, refused, or showing one of the checkout steps. */
import { type JSX, render } from 'preact'
import { createLanguage, LanguageContext } from './language.ts'
import { type Launch, readLaunch } from './launch.ts'
import { announceHeight } from './messages.ts'
import { OrderSummary } from './parts/OrderSummary.tsx'
import { Sheet } from './parts/Sheet.tsx'
import { Complete } from './steps/Complete.tsx'
import { Identity } from './steps/Identity.tsx'
import { Pay } from './steps/Pay.tsx'
import { Refused } from './steps/Refused.tsx'
import { useVisit, type Visit, type VisitActions } from './useVisit.ts'

function App({ launch }: { launch: Launch }): JSX.Element {
  const { visit, actions } = useVisit(launch)
  switch (visit.status) {
    case 'starting':
      return <Sheet busy />
    case 'refused':
      return (
        <Sheet>
          <Refused refusal={visit.refusal} onRetry={actions.restart} />
        </Sheet>
      )
    case 'open':
      return <Checkout visit={visit} actions={actions} launch={launch} />
  }
}

interface CheckoutProps {
  visit: Extract<Visit, { status: 'open' }>
  actions: VisitActions
  launch: Launch
}

function Checkout({ visit, actions, launch }: CheckoutProps): JSX.Element {
  const { checkout } = visit
  const paying = checkout.step === 'pay' || checkout.step === 'declined'
  const canChoose = paying && !launch.params.product_id
  return (
    <Sheet
      kind={checkout.offer.kind}
      onHeight={(height) => announceHeight(checkout, height)}
      stub={
        <OrderSummary
          shop={launch.shop}
          checkout={checkout}
          busy={visit.busy}
          onChoose={canChoose ? actions.choose : undefined}
        />
      }
    >
      <Step visit={visit} actions={actions} />
    </Sheet>
  )
}

function Step({ visit, actions }: Omit<CheckoutProps, 'launch'>): JSX.Element {
  switch (visit.checkout.step) {
    case 'pay':
    case 'declined':
      return <Pay {...visit} onPay={actions.pay} />
    case 'identity':
      return <Identity {...visit} onProve={actions.prove} />
    case 'complete':
      return <Complete {...visit} onCancelSubscription={actions.cancelSubscription} />
  }
}

const launch = readLaunch(new URL(location.href), navigator.languages)
const language = createLanguage(launch.tag)
const page = document.documentElement
page.lang = language.tag
page.dir = language.direction
document.title = [language.words.checkout, launch.shop.name].filter(Boolean).join(' · ')

const root = document.getElementById('widget')
if (root)
  render(
    <LanguageContext.Provider value={language}>
      <App launch={launch} />
    </LanguageContext.Provider>,
    root,
  )
