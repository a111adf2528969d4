/** The language of the checkout. */
import type { ReactNode } from 'react'
import { isLanguage, type LanguageTag, languages } from '../../languages.ts'

interface LanguageChoiceProps {
  value: LanguageTag
  onChange: (locale: LanguageTag) => void
}

export function LanguageChoice({ value, onChange }: LanguageChoiceProps): ReactNode {
  return (
    <label className="language">
      <span>Checkout in</span>
      <select
        value={value}
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
