/** The React component and a bare frame, mounted once or a hundred times in one page. */
import { PurchaseWidget } from '@purchase-widget/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    widgetUrl: string
    mount: Record<string, (times: number) => void>
  }
}

/** By hand, as the loader does: an address in an attribute exposes its token to every script and session recording on the page. */
function Unlisted(): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(
    () => frame.current?.contentWindow?.location.replace(`${window.widgetUrl}/widget/?accessToken=bench`),
    [],
  )
  return <iframe title="Widget" ref={frame} />
}

const contestants: Record<string, () => ReactNode> = {
  'a bare frame': () => <iframe title="Widget" src={`${window.widgetUrl}/widget/?accessToken=bench`} />,
  'a frame without the address in an attribute': Unlisted,
  'PurchaseWidget, by the link': () => <PurchaseWidget companion="/api" widgetOrigin={window.widgetUrl} />,
  'PurchaseWidget, with a token': () => <PurchaseWidget widgetUrl={window.widgetUrl} accessToken="bench" />,
}

function mount(Contestant: () => ReactNode, times: number): void {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const all = Array.from({ length: times }, (_, index) => <Contestant key={`${index}`} />)
  flushSync(() => root.render(all))
}

window.mount = Object.fromEntries(
  Object.entries(contestants).map(([name, Contestant]) => [name, (times) => mount(Contestant, times)]),
)
