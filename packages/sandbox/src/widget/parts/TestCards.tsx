/** The list of test cards, which fill the form. */
import type { JSX } from 'preact'
import type { PayCheckout } from '../protocol.ts'

export type TestCard = Pick<PayCheckout, 'card_number' | 'expiry_date' | 'security_code'>

const outcomes: readonly (readonly [lastDigits: string, outcome: string])[] = [
  ['4000', 'Could not be charged'],
  ['4001', 'Incorrect security code'],
  ['4002', 'Declined by the issuer'],
  ['4003', 'Incorrect card details'],
  ['4004', 'Insufficient balance'],
  ['4005', 'Card limit exceeded'],
  ['4010', 'Declined by the issuer'],
  ['4011', 'Card validation failed'],
  ['4012', 'Declined by the issuer'],
  ['4013', 'Could not be charged, see support'],
]

/** Any date in the future and any three digits go with a test card. */
const filledIn = (number: string): TestCard => ({
  card_number: number,
  expiry_date: '12/49',
  security_code: '123',
})

export const cardThatPays: TestCard = filledIn('4242 4242 4242 4242')

const cards = [
  { number: cardThatPays.card_number, outcome: 'Succeeds' },
  { number: '4000 0000 0000 0341', outcome: 'Succeeds, then fails to renew' },
  ...outcomes.map(([digits, outcome]) => ({ number: `4000 0000 0000 ${digits}`, outcome })),
]

/** The cards that the sandbox knows; a click fills the form. */
export function TestCards({ onPick }: { onPick: (card: TestCard) => void }): JSX.Element {
  return (
    <details class="test-cards">
      <summary>Sandbox test cards</summary>
      <ul>
        {cards.map(({ number, outcome }) => (
          <li key={number}>
            <button type="button" onClick={() => onPick(filledIn(number))}>
              <span class="digits">{number}</span> <span>{outcome}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
