/** A labelled line of text. */
import type { JSX } from 'preact'

interface TextInputProps {
  label: string
  value: string
  onValue: (value: string) => void
  placeholder?: string
  numeric?: boolean
}

export function TextInput({
  label,
  value,
  onValue,
  placeholder,
  numeric = false,
}: TextInputProps): JSX.Element {
  return (
    <label class="input">
      {label}
      <input
        value={value}
        placeholder={placeholder ?? ''}
        inputMode={numeric ? 'numeric' : 'text'}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  )
}
