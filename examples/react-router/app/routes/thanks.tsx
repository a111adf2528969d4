import type { ReactElement } from 'react'
import { useLocation } from 'react-router'

export default function Thanks(): ReactElement {
  const { state } = useLocation()
  return (
    <main>
      <title>Thank you</title>
      <h1>It is yours</h1>
      {state && <p role="status">Order {state.id} is complete.</p>}
    </main>
  )
}
