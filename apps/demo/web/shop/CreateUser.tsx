/** Signs the shopper up at the service without documents: a low-KYC user, by the merchant's server. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { readJson } from './useJson.ts'

/** The service takes an e-mail and a phone number once: each visitor's example is another. */
const visitor = 2_000_000 + Math.floor(Math.random() * 8_000_000)

/** The fields of section 4.6 of the interface, and an example for each. */
const fields = [
  { name: 'first_name', label: 'First name', example: 'Ada', autoComplete: 'given-name' },
  { name: 'last_name', label: 'Last name', example: 'Winter', autoComplete: 'family-name' },
  {
    name: 'email',
    label: 'E-mail',
    example: `ada.${visitor}@example.com`,
    autoComplete: 'email',
    type: 'email',
  },
  {
    name: 'phone',
    label: 'Phone, with + and country',
    example: `+1415${visitor}`,
    autoComplete: 'tel',
    type: 'tel',
  },
  {
    name: 'date_of_birth',
    label: 'Date of birth',
    example: '1990-05-17',
    autoComplete: 'bday',
    type: 'date',
  },
  { name: 'country_of_residence', label: 'Country, three letters', example: 'USA', autoComplete: 'off' },
  { name: 'state_of_residence', label: 'US state, two letters', example: 'CA', autoComplete: 'off' },
]

export function CreateUser({ onCreated }: { onCreated: () => void }): ReactNode {
  const [refusal, setRefusal] = useState('')
  const [sending, setSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (sending) return
    setSending(true)
    setRefusal('')
    try {
      await readJson('/api/purchase-widget/user', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(new FormData(event.currentTarget))),
      })
      onCreated()
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <form className="create-user" onSubmit={submit}>
      <h2>Your account with the payment service</h2>
      <p className="account-note">
        A first purchase opens one, which the shop does not see. It can also open one itself: without
        documents, and with low limits.
      </p>
      <div className="create-user-fields">
        {fields.map(({ label, example, ...field }) => (
          <label key={field.name}>
            {label}
            <input {...field} defaultValue={example} required />
          </label>
        ))}
      </div>
      <button type="submit" className="button" aria-disabled={sending} aria-busy={sending}>
        Sign up
      </button>
      <p role="alert" className="refusal">
        {refusal}
      </p>
    </form>
  )
}
