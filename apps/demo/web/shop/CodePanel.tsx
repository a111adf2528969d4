/** Code in tabs, coloured without a line of HTML: tokens become elements. */
import { Fragment, type ReactNode, useId, useState } from 'react'
import { parse } from 'sugar-high/core'
import { CopyButton } from './CopyButton.tsx'
import './code.css'

export interface CodeTab {
  label: string
  code: string
}

export function CodePanel({ tabs }: { tabs: readonly CodeTab[] }): ReactNode {
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const tab = tabs[chosen] ?? tabs[0]
  if (!tab) return null
  return (
    <section className="code" aria-label="The code that does it">
      <CopyButton key={chosen} text={tab.code} />
      <div className="code-tabs" role="tablist" aria-label="The code that does it">
        {tabs.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
              if (step === 0) return
              const next = (index + step + tabs.length) % tabs.length
              setChosen(next)
              document.getElementById(`${id}-tab-${next}`)?.focus()
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and a keyboard has to be able to scroll them. */}
      <pre id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${chosen}`} tabIndex={0}>
        <code>
          <Highlighted code={tab.code} />
        </code>
      </pre>
    </section>
  )
}

function Highlighted({ code }: { code: string }): ReactNode {
  return parse(code).lines.map((line) => (
    <Fragment key={line.index}>
      {line.tokens.map((token, index) => (
        <span key={index} className={`code-${token.type}`}>
          {token.value}
        </span>
      ))}
      {'\n'}
    </Fragment>
  ))
}
