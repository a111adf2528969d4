/** The content of a row: its state and, when expanded, timestamps, links to related records, and JSON. */
import type { JSX } from 'preact'
import { addressOf } from '../usePlace.ts'

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** A one-word state; the colour only reinforces the word. */
export function Badge({ tone, children }: { tone: Tone; children: string }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** One name and value per line; entries without a value are omitted. */
export function Facts({ facts }: { facts: Record<string, string | number | null> }): JSX.Element {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== '')
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export interface Related {
  text: string
  view: 'orders' | 'webhooks' | 'requests'
  find: string
}

export function Links({ links }: { links: readonly Related[] }): JSX.Element | null {
  if (links.length === 0) return null
  return (
    <p class="links">
      {links.map(({ text, view, find }) => (
        <a key={view + find} href={addressOf(view, find)}>
          {text}
        </a>
      ))}
    </p>
  )
}

export function Json({ title, value }: { title: string; value: unknown }): JSX.Element | null {
  if (value === null || value === undefined || value === '' || JSON.stringify(value) === '{}') return null
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard has to be able to scroll it */}
      <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </figure>
  )
}

/** `2026-12-24 08:15:30`, in UTC like the sandbox's clock. */
export const timeOf = (iso: string | null): string => iso?.replace('T', ' ').slice(0, 19) ?? ''
