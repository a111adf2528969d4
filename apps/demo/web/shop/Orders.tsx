import type { ReactNode } from 'react'

export function Orders(): ReactNode {
  return <h1>Orders</h1>
}
