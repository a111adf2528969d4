/** Copies text, and says that it has. */
import { type ReactNode, useEffect, useState } from 'react'

/** Milliseconds for which it says so. */
const SAID = 2_000

export function CopyButton({ text }: { text: string }): ReactNode {
  const [said, setSaid] = useState('')

  useEffect(() => {
    if (!said) return
    const later = setTimeout(() => setSaid(''), SAID)
    return () => clearTimeout(later)
  }, [said])

  async function copy(): Promise<void> {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(copied ? 'Copied' : 'Not allowed here')
  }

  return (
    <button type="button" className="code-copy" onClick={copy} aria-label="Copy the code">
      <span aria-live="polite">{said || 'Copy'}</span>
    </button>
  )
}
