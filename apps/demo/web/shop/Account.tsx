import type { ReactNode } from 'react'

export function Account(): ReactNode {
  return <h1>Account</h1>
}
