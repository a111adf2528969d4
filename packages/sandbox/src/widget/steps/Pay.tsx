/** E-mail and card. After a decline, the same form with the recommended action. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fieldSentences, type Refusal } from '../api.ts'
import {
  checkPayment,
  formatCardNumber,
  formatExpiryDate,
  formatSecurityCode,
  type PayErrors,
  type PayField,
  toPayCheckout,
} from '../cardFormat.ts'
import { declineSentences, priceOf, useLanguage } from '../language.ts'
import { Field } from '../parts/Field.tsx'
import { Notice } from '../parts/focus.tsx'
import { cardThatPays, type TestCard, TestCards } from '../parts/TestCards.tsx'
import { Continue, Countdown, type Destination, noteDeparture, useLeaving } from '../parts/WayBack.tsx'
import type { Checkout, PayCheckout } from '../protocol.ts'
import { recallVisit, updateVisit } from '../useVisit.ts'
import { RefusalNotice } from './Refused.tsx'

interface PayProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onPay: (payment: PayCheckout) => void
}

const secondsToDecide = 10
const fields: readonly PayField[] = ['email', 'card_number', 'expiry_date', 'security_code']

export function Pay({ checkout, busy, refusal, onPay }: PayProps): JSX.Element {
  const { words, fill } = useLanguage()
  const form = useRef<HTMLFormElement>(null)
  const focusOn = (name: PayField): void => focusField(form.current, name)
  const { payment, errors, change, submit } = usePayment({ checkout, busy, refusal, onPay }, focusOn)

  const withEmail = (card: TestCard): PayCheckout => ({
    ...card,
    email: payment.email || checkout.exampleEmail,
  })

  const sentenceOf = (key: PayErrors[PayField]): string | undefined => key && words[key]

  const field = (name: PayField) => ({
    name,
    label: words[name],
    value: payment[name],
    error: sentenceOf(errors[name]),
    onValue: (value: string) => change({ [name]: value }),
  })

  return (
    <form
      class="pay"
      ref={form}
      noValidate
      aria-label={words.checkout}
      onSubmit={(event) => {
        event.preventDefault()
        submit(payment)
      }}
    >
      {checkout.step === 'declined' && !busy && <Declined key={checkout.order?.id} checkout={checkout} />}
      {refusal && !isField(refusal.field) && <RefusalNotice refusal={refusal} />}
      <Field {...field('email')} inputMode="email" autocomplete="email" />
      <Field
        {...field('card_number')}
        inputMode="numeric"
        autocomplete="cc-number"
        placeholder="1234 5678 9012 3456"
        format={formatCardNumber}
      />
      <div class="pair">
        <Field
          {...field('expiry_date')}
          inputMode="numeric"
          autocomplete="cc-exp"
          placeholder={words.monthYear}
          format={formatExpiryDate}
        />
        <Field
          {...field('security_code')}
          inputMode="numeric"
          autocomplete="cc-csc"
          placeholder="CVC"
          format={formatSecurityCode}
        />
      </div>
      <button type="submit" class="button" aria-disabled={busy}>
        {busy ? words.wait : fill(words.pay, { amount: priceOf(checkout.offer) })}
      </button>
      {checkout.step !== 'declined' && (
        <button
          type="button"
          class="quiet"
          aria-disabled={busy}
          onClick={() => {
            change(withEmail(cardThatPays))
            submit(withEmail(cardThatPays))
          }}
        >
          {words.payTest}
        </button>
      )}
      <TestCards onPick={(card) => change(withEmail(card))} />
    </form>
  )
}

/** The issuer's reason and the recommended action (section 7 of the interface). */
function Declined({ checkout }: { checkout: Checkout }): JSX.Element {
  const destination = checkout.redirect
  const { words, fill } = useLanguage()
  const code = checkout.order?.decline
  // An order that failed without a code is shown as one that could not be charged.
  const { reason, action } = declineSentences[code ?? '4000']
  return (
    <div class="declined">
      <Notice title={words.declined}>
        <p>
          {words[reason]} {words[action]}
        </p>
        {code && <p class="code">{fill(words.code, { code })}</p>}
      </Notice>
      {destination && <ReturnToShop checkout={checkout} destination={destination} />}
    </div>
  )
}

function ReturnToShop({
  checkout,
  destination,
}: {
  checkout: Checkout
  destination: Destination
}): JSX.Element {
  const { leaving, stay } = useLeaving(checkout, destination, secondsToDecide)
  return (
    <div class="ways">
      <Continue to={destination} onLeave={() => noteDeparture(checkout)}>
        {useLanguage().words.returnToShop}
      </Continue>
      <Countdown leaving={leaving} stay={stay} />
    </div>
  )
}

interface Payment {
  payment: PayCheckout
  errors: PayErrors
  change: (part: Partial<PayCheckout>) => void
  submit: (payment: PayCheckout) => void
}

/** The entered values and their errors. */
function usePayment(
  { checkout, busy, refusal, onPay }: PayProps,
  focusOn: (name: PayField) => void,
): Payment {
  const [payment, setPayment] = useState<PayCheckout>(() => ({
    email: recallVisit()?.email || checkout.email || '',
    card_number: '',
    expiry_date: '',
    security_code: '',
  }))
  const [errors, setErrors] = useState<PayErrors>({})

  const report = (found: PayErrors): void => {
    setErrors(found)
    const first = fields.find((name) => found[name])
    if (first) focusOn(first)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (refusal && isField(refusal.field)) report({ [refusal.field]: fieldSentences[refusal.field] })
  }, [refusal])

  // Browsers limit the rate of history changes.
  useEffect(() => {
    const pause = setTimeout(() => updateVisit({ email: payment.email }), 250)
    return () => clearTimeout(pause)
  }, [payment.email])

  const change = (part: Partial<PayCheckout>): void => {
    setPayment((now) => ({ ...now, ...part }))
    setErrors((now) => without(now, Object.keys(part)))
  }

  const submit = (given: PayCheckout): void => {
    if (busy) return
    const found = checkPayment(given)
    report(found)
    if (Object.keys(found).length === 0) onPay(toPayCheckout(given))
  }

  return { payment, errors, change, submit }
}

const isField = (name: string | undefined): name is PayField => fields.some((field) => field === name)

function without(errors: PayErrors, names: string[]): PayErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))
}

function focusField(form: HTMLFormElement | null, name: PayField): void {
  const input = form?.elements.namedItem(name)
  if (!(input instanceof HTMLInputElement)) return
  input.focus()
  input.select()
}
