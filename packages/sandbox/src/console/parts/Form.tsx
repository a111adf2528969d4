/** The actions of a view: a row of inputs and a button that submits their values. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

interface FormProps {
  button: string
  /** Receives the text of each input, keyed by its name. */
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
  /** Initial value. */
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
  /** Label of a value. Default: the value itself. */
  nameOf?: (value: string) => string
  onChoose?: (value: string) => void
}

/** A select list; the first value is selected initially. */
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
  /** Whether it is initially open, for example while there are no rows. */
  open: boolean
  children: ComponentChildren
}

/** Collapses forms, because users come for the rows. */
export function Fold({ title, open, children }: FoldProps): JSX.Element {
  // The arrival of the first row must not close a form that the user is filling in.
  const [atFirst] = useState(open)
  return (
    <details class="fold" open={atFirst}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
