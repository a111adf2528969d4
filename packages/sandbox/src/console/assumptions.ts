/** The rows of docs/assumptions.md, which the switches name by number. */
import page from '../../../../docs/assumptions.md?raw'

export interface Assumption {
  /** What the interface does not show. */
  gap: string
  toolkit: string
  sandbox: string
}

const rows = new Map<string, Assumption>(
  [...page.matchAll(/^\| (U\d+) \| (.*) \| (.*) \| (.*) \| .* \|$/gm)].map(
    ([, number = '', gap = '', toolkit = '', sandbox = '']) => [number, { gap, toolkit, sandbox }],
  ),
)

export const assumptionOf = (number: string): Assumption | undefined => rows.get(number)
