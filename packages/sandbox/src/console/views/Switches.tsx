/** Both sides of everything that the interface leaves open. */
import type { JSX } from 'preact'
import assumptions from '../../../../../docs/assumptions.md?raw'
import type { SwitchReading } from '../../simulation/switches.ts'
import type { Act, ViewProps } from '../useConsole.ts'

export function Switches({ state, act }: ViewProps): JSX.Element {
  const changed = state.switches.filter((one) => one.value !== one.default)
  return (
    <>
      {changed.length > 0 && <Restore changed={changed} act={act} />}
      <ul class="switches">
        {state.switches.map((one) => (
          <li key={one.name} class={changed.includes(one) ? 'changed' : undefined}>
            <Switch one={one} act={act} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Restore({ changed, act }: { changed: SwitchReading[]; act: Act }): JSX.Element {
  const defaults = Object.fromEntries(changed.map((one) => [one.name, one.default]))
  return (
    <div class="order-form">
      <button type="button" class="quiet" onClick={() => act('PATCH', 'switches', defaults)}>
        Restore the defaults
      </button>
      <p class="hint">Changed: {changed.map(({ name }) => name).join(', ')}</p>
    </div>
  )
}

function Switch({ one, act }: { one: SwitchReading; act: Act }): JSX.Element {
  const { name, row, description, values, value } = one
  return (
    <fieldset>
      <legend>
        <code>{name}</code>
      </legend>
      <p>{description}</p>
      <Why row={row} />
      <div class="values">
        {values.map((each) => (
          <label key={String(each)}>
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => act('PATCH', 'switches', { [name]: each })}
            />
            <span>{nameOf(each, one)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Gap, toolkit and sandbox, keyed by row number. */
const rows = new Map(
  [...assumptions.matchAll(/^\| (U\d+) \| (.*) \| (.*) \| (.*) \| .* \|$/gm)].map(([, number, ...cells]) => [
    number,
    cells,
  ]),
)

/** Explains the row number of a switch. */
function Why({ row }: { row: string }): JSX.Element | null {
  const [gap, toolkit, sandbox] = rows.get(row) ?? []
  if (!gap || !toolkit || !sandbox) return null
  return (
    <details class="why">
      <summary>{row}: what the interface does not say</summary>
      <p>Not shown: {withCode(gap)}.</p>
      <p>The toolkit: {withCode(toolkit)}.</p>
      <p>Here: {withCode(sandbox)}.</p>
      <p>From docs/assumptions.md.</p>
    </details>
  )
}

/** Markdown’s `code` as elements. */
const withCode = (text: string): (string | JSX.Element)[] =>
  text.split('`').map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))

function nameOf(value: string | number | boolean, { name }: SwitchReading): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return name.endsWith('Ms') ? `${value} ms` : String(value)
}
