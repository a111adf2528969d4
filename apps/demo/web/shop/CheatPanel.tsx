/** Lets a visitor change what the server has given to the page, as anybody with developer tools can. */
import type { ReactNode } from 'react'
import type { Product } from '../../catalogue.ts'
import { type Cheat, cheatsFor } from '../purchase/cheats.ts'
import type { TokenPlace } from '../purchase/choices.ts'
import './cheats.css'

interface CheatPanelProps {
  product: Product
  token: TokenPlace
  value: Cheat
  onChange: (cheat: Cheat) => void
}

export function CheatPanel({ product, token, value, onChange }: CheatPanelProps): ReactNode {
  const possible = token === 'page'
  return (
    <section className="panel cheats" aria-labelledby="cheats-title">
      <h2 id="cheats-title">Try to cheat</h2>
      <p className="panel-lead">
        {possible
          ? 'Change what the server has given to the page, then buy. The payment goes through; the server compares the order with what it sold, and delivers nothing that differs.'
          : 'With the token on the server, the page is given a ticket for this one purchase. There is nothing in it to change.'}
      </p>
      <div className="cheats-list" role="radiogroup" aria-labelledby="cheats-title">
        {cheatsFor(product).map(({ value: cheat, label, hint }) => (
          <label key={cheat} className="cheat">
            <input
              type="radio"
              name="cheat"
              value={cheat}
              checked={cheat === (possible ? value : 'none')}
              disabled={!possible}
              onChange={() => onChange(cheat)}
            />
            <span className="cheat-label">{label}</span>
            <span className="cheat-hint">{hint}</span>
          </label>
        ))}
      </div>
    </section>
  )
}
