/** The visitor's choices, their form in the URL, and their radio buttons. */
import type { Mode, RedirectPage } from '@purchase-widget/loader'
import type { ReactNode } from 'react'

export interface Choice<Value extends string> {
  value: Value
  label: string
  hint: string
}

export const modes: readonly Choice<Mode>[] = [
  { value: 'iframe', label: 'Iframe', hint: 'in the page' },
  { value: 'modal', label: 'Modal', hint: 'over the page' },
  { value: 'popup', label: 'Popup', hint: 'a window of its own' },
  { value: 'redirect', label: 'Redirect', hint: 'instead of the page' },
]

export const redirectPages: readonly Choice<RedirectPage>[] = [
  { value: 'self', label: 'Self', hint: 'this tab goes to the return page' },
  { value: 'new', label: 'New', hint: 'the return page gets its own tab' },
]

export interface Choices {
  mode: Mode
  redirectPage: RedirectPage
}

/** `?mode=popup&redirectPage=new`; missing or unknown values fall back to the default. */
export const readChoices = (query: URLSearchParams): Choices => ({
  mode: pick(modes, query.get('mode')) ?? 'modal',
  redirectPage: pick(redirectPages, query.get('redirectPage')) ?? 'self',
})

const pick = <Value extends string>(
  choices: readonly Choice<Value>[],
  value: string | null,
): Value | undefined => choices.find((choice) => choice.value === value)?.value

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
