/** Copies text, and says that it has. */
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../copyText.ts'

/** Milliseconds for which it says so. */
const SAID = 2_000

export function CopyButton({ text }: { text: string }): ReactNode {
  const [said, setSaid] = useState('')

  useEffect(() => {
    if (!said) return
    const later = setTimeout(() => setSaid(''), SAID)
    return () => clearTimeout(later)
  }, [said])

  return (
    <button
      type="button"
      className="code-copy"
      onClick={async () => setSaid(await copyText(text))}
      aria-label="Copy the code"
    >
      <span aria-live="polite">{said || 'Copy'}</span>
    </button>
  )
}
