/** The React component and a bare frame, mounted once or a hundred times in one page. */
import { PurchaseWidget } from '@purchase-widget/react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    widgetUrl: string
    mount: Record<string, (times: number) => void>
  }
}

const contestants: Record<string, () => ReactNode> = {
  'a bare frame': () => <iframe title="Widget" src={`${window.widgetUrl}/widget/?accessToken=bench`} />,
  PurchaseWidget: () => <PurchaseWidget widgetUrl={window.widgetUrl} accessToken="bench" />,
}

function mount(Contestant: () => ReactNode, times: number): void {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const all = Array.from({ length: times }, (_, index) => <Contestant key={`${index}`} />)
  flushSync(() => root.render(all))
}

window.mount = Object.fromEntries(
  Object.entries(contestants).map(([name, Contestant]) => [name, (times) => mount(Contestant, times)]),
)
