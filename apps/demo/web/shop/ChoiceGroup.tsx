/** A group of radio buttons, each a card with a small drawing of what it does. */
import { type ReactNode, useId } from 'react'
import type { Choice } from '../purchase/choices.ts'
import './choices.css'

interface ChoiceGroupProps<Value extends string> {
  label: string
  /** Takes the whole width where groups stand side by side. */
  wide?: boolean
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>): ReactNode {
  const { label, wide, name, choices, value, onChange } = props
  const id = useId()
  return (
    <div className={wide ? 'choices choices-wide' : 'choices'} role="radiogroup" aria-labelledby={id}>
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
            {drawings[choice.value] && <Drawing of={choice.value} />}
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

/** A page in outline, and the widget or the return page in the accent colour. */
function Drawing({ of }: { of: string }): ReactNode {
  return (
    <svg className="choice-drawing" viewBox="0 0 48 32" aria-hidden="true">
      {drawings[of]}
    </svg>
  )
}

const page = <rect className="page" x="2" y="2" width="36" height="28" rx="3" />

const drawings: Record<string, ReactNode> = {
  iframe: (
    <>
      {page}
      <path className="page" d="M7 8h9M7 13h9M7 18h7" />
      <rect className="lit" x="20" y="7" width="13" height="18" rx="2" />
    </>
  ),
  modal: (
    <>
      <rect className="page dim" x="2" y="2" width="36" height="28" rx="3" />
      <rect className="lit" x="12" y="8" width="16" height="17" rx="2" />
    </>
  ),
  popup: (
    <>
      {page}
      <rect className="lit" x="24" y="10" width="22" height="20" rx="3" />
      <path className="bar" d="M25 14.500h20" />
    </>
  ),
  redirect: (
    <>
      <rect className="lit" x="2" y="2" width="36" height="28" rx="3" />
      <path className="bar" d="M12 16h15m-6-6l6 6l-6 6" />
    </>
  ),
  page: (
    <>
      {page}
      <circle className="lit" cx="14" cy="16" r="5" />
      {/* Beside what is lit, so it keeps the colour of ink. */}
      <path className="shaft" d="M19 16h13v4m-5-4v3" />
    </>
  ),
  server: (
    <>
      <rect className="page" x="2" y="2" width="16" height="28" rx="3" />
      <rect className="lit" x="24" y="4" width="22" height="10" rx="2.5" />
      <rect className="lit" x="24" y="18" width="22" height="10" rx="2.5" />
      <path className="bar" d="M29 9h5M29 23h5" />
    </>
  ),
  self: (
    <>
      <rect className="lit" x="2" y="2" width="36" height="28" rx="3" />
      <path className="bar" d="M26 21H15a5 5 0 0 1 0-10h9m-4-4l4 4l-4 4" />
    </>
  ),
  new: (
    <>
      {page}
      <rect className="lit" x="14" y="8" width="32" height="22" rx="3" />
      <path className="bar" d="M30 13v12M24 19h12" />
    </>
  ),
}
