/** A labelled list to choose from. */
import type { JSX } from 'preact'

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  values: readonly Value[]
  onChoose: (value: Value) => void
  /** What a value is called; itself unless said. */
  nameOf?: (value: Value) => string
}

/** A labelled select over a closed set of values. */
export function Choice<Value extends string>(props: ChoiceProps<Value>): JSX.Element {
  const { label, value, values, onChoose, nameOf = String } = props
  return (
    <label class="input">
      {label}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = values.find((one) => one === currentTarget.value)
          if (chosen !== undefined) onChoose(chosen)
        }}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
