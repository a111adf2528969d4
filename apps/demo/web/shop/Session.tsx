/** Signs the visitor in by name, and out. What they bought as a guest stays theirs. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { readJson } from './useJson.ts'

export const sessionPath = '/api/shop/session'

export function Session({ isMember }: { isMember: boolean }): ReactNode {
  const [refusal, setRefusal] = useState('')
  const [sending, setSending] = useState(false)
  const waiting = { 'aria-disabled': sending, 'aria-busy': sending }

  async function change(init: RequestInit): Promise<void> {
    if (sending) return
    setSending(true)
    setRefusal('')
    try {
      await readJson(sessionPath, init)
      // Everything on the page is the shopper's: it is read anew for the new one.
      window.location.reload()
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
      setSending(false)
    }
  }

  function signIn(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const name = new FormData(event.currentTarget).get('name')
    void change({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  }

  return isMember ? (
    <div className="session">
      <p className="account-note">You are signed in, and see what you bought as a guest as well.</p>
      <button
        type="button"
        className="button quiet"
        {...waiting}
        onClick={() => change({ method: 'DELETE' })}
      >
        Sign out
      </button>
      <p role="alert" className="refusal">
        {refusal}
      </p>
    </div>
  ) : (
    <form className="session" onSubmit={signIn}>
      <p className="account-note">
        You are a guest. Sign in with any name, and keep what you have bought. A demo asks for no password.
      </p>
      <label>
        Name
        <input name="name" required maxLength={40} autoComplete="nickname" />
      </label>
      <button type="submit" className="button quiet" {...waiting}>
        Sign in
      </button>
      <p role="alert" className="refusal">
        {refusal}
      </p>
    </form>
  )
}
