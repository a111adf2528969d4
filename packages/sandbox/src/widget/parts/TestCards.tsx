/** The sandbox's test cards; a click fills in the form. */
import type { JSX } from 'preact'
import { declineSentences, useLanguage } from '../language.ts'
import type { Words } from '../languages.ts'
import type { PayCheckout } from '../protocol.ts'

export type TestCard = Pick<PayCheckout, 'card_number' | 'expiry_date' | 'security_code'>

/** A test card works with any future date and any three digits. */
const filledIn = (number: string): TestCard => ({
  card_number: number,
  expiry_date: '12/49',
  security_code: '123',
})

export const cardThatPays: TestCard = filledIn('4242 4242 4242 4242')

const cardsIn = (words: Words): { number: string; outcome: string }[] => [
  { number: cardThatPays.card_number, outcome: words.complete },
  { number: '4000 0000 0000 0341', outcome: `${words.complete} → ${words.lowBalance}` },
  ...Object.entries(declineSentences).map(([code, { reason }]) => ({
    number: `4000 0000 0000 ${code}`,
    outcome: words[reason],
  })),
]

export function TestCards({ onPick }: { onPick: (card: TestCard) => void }): JSX.Element {
  const { words } = useLanguage()
  return (
    <details class="test-cards">
      <summary>{words.testCards}</summary>
      <ul>
        {cardsIn(words).map(({ number, outcome }) => (
          <li key={number}>
            <button type="button" onClick={() => onPick(filledIn(number))}>
              <bdi class="digits" dir="ltr">
                {number}
              </bdi>{' '}
              <span>{outcome}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
