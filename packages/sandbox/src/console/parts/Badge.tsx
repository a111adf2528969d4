/** A state in a coloured frame. */
import type { JSX } from 'preact'

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** A state in one word; the word says it, the colour only helps. */
export function Badge({ tone, children }: { tone: Tone; children: string }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>
}
