import { PurchaseWidget } from '@purchase-widget/react'
import { render } from '@testing-library/react'
import { version } from 'react'
import { expect, it, vi } from 'vitest'

it('shows the widget in the page', async () => {
  const states: string[] = []
  console.log(version)
  const { container } = render(
    <PurchaseWidget companion="/api/purchase-widget" onStateChange={(s) => states.push(s.status)} />,
  )
  await vi.waitFor(() => expect(states).toContain('loaded'))
  console.log(states, container.innerHTML)
})
