/** The language of the checkout. */
import { type ReactNode, useEffect, useRef } from 'react'
import { isLanguage, type LanguageTag, languages } from '../../languages.ts'

interface LanguageChoiceProps {
  value: LanguageTag
  onChange: (locale: LanguageTag) => void
}

export function LanguageChoice({ value, onChange }: LanguageChoiceProps): ReactNode {
  const select = useRef<HTMLSelectElement>(null)
  const started = useRef(false)

  // The server has drawn it: a visitor may have chosen before this script was here, and their choice stays.
  useEffect(() => {
    if (!select.current) return
    const chosen = select.current.value
    if (started.current) select.current.value = value
    else if (chosen !== value && isLanguage(chosen)) onChange(chosen)
    started.current = true
  }, [value, onChange])

  return (
    <label className="language">
      <span>Checkout in</span>
      <select
        ref={select}
        defaultValue={value}
        onChange={({ target }) => {
          if (isLanguage(target.value)) onChange(target.value)
        }}
      >
        {Object.entries(languages).map(([tag, { name }]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
