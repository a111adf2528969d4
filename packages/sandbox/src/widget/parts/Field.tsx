/** One input of the payment form, with its label and error. Digits run left to right in every language. */
import type { JSX } from 'preact'

interface FieldProps {
  name: string
  label: string
  value: string
  error: string | undefined
  onValue: (value: string) => void
  /** Reformats the typed text, for example into groups of four digits. */
  format?: (text: string) => string
  inputMode: 'email' | 'numeric'
  autocomplete: string
  placeholder?: string
}

export function Field({ name, label, value, error, onValue, format, ...input }: FieldProps): JSX.Element {
  return (
    <div class={`field ${name}`}>
      <label for={name}>{label}</label>
      <input
        {...input}
        type="text"
        id={name}
        name={name}
        dir="ltr"
        value={value}
        spellcheck={false}
        autocapitalize="none"
        aria-required="true"
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${name}-error` : undefined}
        onInput={({ currentTarget }) => {
          if (format) reformat(currentTarget, format)
          onValue(currentTarget.value)
        }}
      />
      {error && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Formats in place; the caret stays behind the same digit. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const typed = input.value
  const caret = input.selectionStart ?? typed.length
  const formatted = format(typed)
  if (formatted === typed) return
  const behind = caret === typed.length ? formatted.length : format(typed.slice(0, caret)).length
  input.value = formatted
  input.setSelectionRange(behind, behind)
}
