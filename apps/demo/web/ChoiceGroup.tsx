/** A group of radio buttons, each with a hint. */
import type { ReactNode } from 'react'
import type { Choice } from './choices.ts'

interface ChoiceGroupProps<Value extends string> {
  label: string
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>): ReactNode {
  const { label, name, choices, value, onChange } = props
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <div className="choices-row">
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span className="choice-label">{choice.label}</span>
            <span className="choice-hint">{choice.hint}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
