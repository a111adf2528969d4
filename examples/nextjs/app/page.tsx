import type { ReactElement } from 'react'
import { Buy } from './Buy.tsx'

/** A server component; only the button is a client component. */
export default function Page(): ReactElement {
  return (
    <main>
      <h1>100 gold</h1>
      <Buy />
    </main>
  )
}
