/** What can be done in a view: a row of inputs, and the button that sends what they hold. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

interface FormProps {
  button: string
  /** Gets the text of each input by its name. */
  onSend: (values: Record<string, string>) => void
  children: ComponentChildren
}

export function Form({ button, onSend, children }: FormProps): JSX.Element {
  return (
    <form
      class="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        const entries = [...new FormData(event.currentTarget)]
        onSend(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])))
      }}
    >
      {children}
      <button type="submit" class="quiet">
        {button}
      </button>
    </form>
  )
}

interface TextInputProps {
  label: string
  name?: string
  /** What stands in it at first. */
  start?: string
  placeholder?: string
  numeric?: boolean
}

export function TextInput({ label, name, start, placeholder, numeric }: TextInputProps): JSX.Element {
  return (
    <label class="input">
      {label}
      <input
        name={name}
        defaultValue={start ?? ''}
        placeholder={placeholder ?? ''}
        inputMode={numeric ? 'numeric' : 'text'}
        spellcheck={false}
        autocomplete="off"
      />
    </label>
  )
}

interface ChoiceProps {
  label: string
  name: string
  values: readonly string[]
  /** What a value is called; itself unless said. */
  nameOf?: (value: string) => string
  onChoose?: (value: string) => void
}

/** A list to choose from; the first is chosen until another is. */
export function Choice({ label, name, values, nameOf = String, onChoose }: ChoiceProps): JSX.Element {
  return (
    <label class="input">
      {label}
      <select name={name} onChange={({ currentTarget }) => onChoose?.(currentTarget.value)}>
        {values.map((value) => (
          <option key={value} value={value}>
            {nameOf(value)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface FoldProps {
  title: string
  /** Whether it is open at first, as where there are no rows yet. */
  open: boolean
  children: ComponentChildren
}

/** Folds forms away: the rows are what a visitor has come for. */
export function Fold({ title, open, children }: FoldProps): JSX.Element {
  // The first row must not close what somebody is filling in.
  const [atFirst] = useState(open)
  return (
    <details class="fold" open={atFirst}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
