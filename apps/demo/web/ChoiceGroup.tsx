/** A group of radio buttons, each with a hint. */
import { type ReactNode, useId } from 'react'
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
  const id = useId()
  return (
    <div className="choices" role="radiogroup" aria-labelledby={id}>
      <p className="choices-label" id={id}>
        {label}
      </p>
      <div className="choices-row">
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              aria-labelledby={`${id}-${choice.value}`}
              aria-describedby={`${id}-${choice.value}-hint`}
            />
            <span className="choice-label" id={`${id}-${choice.value}`}>
              {choice.label}
            </span>
            <span className="choice-hint" id={`${id}-${choice.value}-hint`}>
              {choice.hint}
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}
