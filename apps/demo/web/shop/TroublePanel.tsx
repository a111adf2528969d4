/** Switches for what can go wrong in the sandbox. With the real service there is nothing to switch, and no panel. */
import { type ReactNode, useState } from 'react'
import type { Trouble } from '../../troubles.ts'
import { useJson } from './useJson.ts'
import './troubles.css'

const PATH = '/api/shop/troubles'

export function TroublePanel(): ReactNode {
  const troubles = useJson<Trouble[]>(PATH)
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({})
  const [refusal, setRefusal] = useState('')
  // Not there with the real service.
  if (troubles.status === 'failed') return null

  async function set(id: string, on: boolean): Promise<void> {
    const choose = (value: boolean): void => setChosen((before) => ({ ...before, [id]: value }))
    choose(on)
    const response = await fetch(`${PATH}/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on }),
    }).catch(() => null)
    if (!response?.ok) choose(!on)
    setRefusal(response?.ok ? '' : 'The sandbox did not take that. Is the demo still running?')
  }

  return (
    <section className="panel troubles" id="go-wrong" aria-labelledby="troubles-title">
      <h2 id="troubles-title">Make it go wrong</h2>
      <p className="panel-lead">Break the service, then buy. It stays broken until you switch it off.</p>
      {troubles.status === 'loading' && <p className="busy">Reading what can go wrong…</p>}
      <ul>
        {(troubles.status === 'loaded' ? troubles.data : []).map(({ id, name, expect, on }) => (
          <li key={id}>
            <label className="trouble">
              <input
                type="checkbox"
                checked={chosen[id] ?? on}
                onChange={(event) => set(id, event.target.checked)}
                aria-describedby={`trouble-${id}`}
              />
              <span>{name}</span>
            </label>
            <p id={`trouble-${id}`}>{expect}</p>
          </li>
        ))}
      </ul>
      <p role="alert">{refusal}</p>
    </section>
  )
}
