/** The code behind the page's Buy button, in tabs. */
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { parse } from 'sugar-high/core'
import type { Choices } from './Choices.tsx'

/** Highlights code without HTML strings: tokens become elements. */
export function CodePanel({ tabs }: { tabs: Readonly<Record<string, string>> }): ReactNode {
  const labels = Object.keys(tabs)
  const [label, setLabel] = useState(`${labels[0]}`)
  const id = useId()
  const code = tabs[label] ?? ''

  function move({ key }: KeyboardEvent): void {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const next = labels.at((labels.indexOf(label) + step) % labels.length)
    if (step === 0 || !next) return
    setLabel(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }

  return (
    <section className="code" aria-label="The code that does it">
      <CopyButton key={code} text={code} />
      <div className="code-tabs" role="tablist" aria-label="The code that does it">
        {labels.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${id}-${each}`}
            aria-selected={each === label}
            aria-controls={`${id}-panel`}
            tabIndex={each === label ? 0 : -1}
            onClick={() => setLabel(each)}
            onKeyDown={move}
          >
            {each}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and a keyboard has to be able to scroll them. */}
      <pre id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${label}`} tabIndex={0}>
        <code>
          <Highlighted code={code} />
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

/** Confirms the copy for two seconds. */
function CopyButton({ text }: { text: string }): ReactNode {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!said) return
    const later = setTimeout(() => setSaid(''), 2_000)
    return () => clearTimeout(later)
  }, [said])

  function copy(): void {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed here'),
    )
  }

  return (
    <button type="button" className="code-copy" onClick={copy} aria-label="Copy the code">
      <span aria-live="polite">{said || 'Copy'}</span>
    </button>
  )
}

/** Contains exactly the chosen options. */
export interface Sold extends Choices {
  productId: string
  name: string
  /** The page fetches a token and builds the address itself. */
  pageToken?: boolean
}

export function reactSnippet({ mode, redirectPage, productId, name, pageToken }: Sold): string {
  const framed = mode === 'iframe'
  const component = framed ? 'PurchaseWidget' : 'PurchaseButton'
  const props = [
    `companion="/api/purchase-widget"`,
    ...(pageToken ? ['pageToken'] : []),
    ...(framed ? [] : [`mode="${mode}"`]),
    `redirectPage="${redirectPage}"`,
    `params={{ product_id: '${productId}' }}`,
    ...(pageToken ? ['onReturn={(event) => event.preventDefault()}'] : []),
    `onResult={(result) => console.log(result.status)}`,
  ].map((prop) => `    ${prop}`)
  return [
    `import { ${component} } from '@purchase-widget/react'`,
    '',
    'export const Buy = () => (',
    `  <${component}`,
    ...props,
    ...(framed ? ['  />'] : ['  >', `    Buy ${name}`, '  </PurchaseButton>']),
    ')',
  ].join('\n')
}

export function scriptTagSnippet({ mode, redirectPage, productId, name }: Sold): string {
  const attributes = [
    `data-mode="${mode}"`,
    ...(mode === 'iframe' ? ['data-container="#widget"'] : []),
    ...(redirectPage === 'new' ? ['data-redirect-page="new"'] : []),
  ]
  return [
    '<script async src="/api/purchase-widget/purchase-widget.js"></script>',
    '',
    ...(mode === 'iframe' ? ['<div id="widget"></div>'] : []),
    `<a href="/api/purchase-widget/launch?product_id=${productId}"`,
    `   data-purchase-widget ${attributes.join(' ')}>`,
    `  Buy ${name}`,
    '</a>',
  ].join('\n')
}
