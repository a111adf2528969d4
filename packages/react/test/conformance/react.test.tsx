// Promise: react/one-frame
import type { TokenSource } from '@purchase-widget/loader'
import { PurchaseWidget } from '@purchase-widget/react'
import * as React from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { accessToken } from './measure.ts'
import { type Behaviour, conformance, type Mounted, type Subject } from './suite.ts'

const { StrictMode, Suspense } = React
// React 18 has none.
const Activity: typeof React.Activity | undefined = React.Activity

interface Around {
  strict: boolean
  waitsFor: Promise<void> | null
  hidden: boolean
}

/** Throws a promise until it is kept, as a lazy component does. */
function Waits({ promise }: { promise: Promise<void> | null }): null {
  if (promise) throw promise
  return null
}

function mount(source: TokenSource, behaviour: Behaviour, strict: boolean): Mounted {
  const element = document.body.appendChild(document.createElement('div'))
  const root: Root = createRoot(element)
  const around: Around = { strict, waitsFor: null, hidden: false }
  let status = ''
  let resume = (): void => {}

  function render(): void {
    const page = (
      <Suspense fallback="Waiting">
        <Waits promise={around.waitsFor} />
        <PurchaseWidget
          {...source}
          {...behaviour}
          interpretMessage={() => null}
          onSuccess={() => {}}
          onStateChange={(state) => {
            status = state.status
          }}
        />
      </Suspense>
    )
    const within = Activity ? <Activity mode={around.hidden ? 'hidden' : 'visible'}>{page}</Activity> : page
    flushSync(() => root.render(around.strict ? <StrictMode>{within}</StrictMode> : within))
  }

  render()
  return {
    status: () => status,
    update(next) {
      if (JSON.stringify(next) !== JSON.stringify(behaviour)) status = ''
      behaviour = next
      render()
    },
    unmount() {
      flushSync(() => root.unmount())
      element.remove()
    },
    async suspend() {
      around.waitsFor = new Promise((resolve) => {
        resume = resolve
      })
      render()
      await eventually(() => expect(element.textContent).toContain('Waiting'))
    },
    async resume() {
      around.waitsFor = null
      resume()
      render()
      await eventually(() => expect(element.textContent).not.toContain('Waiting'))
    },
    hide() {
      around.hidden = true
      status = ''
      render()
    },
    show() {
      around.hidden = false
      render()
    },
  }
}

const react: Subject = {
  canHide: Activity !== undefined,
  name: `the component in React ${React.version}`,
  source: ({ bareUrl }) => ({ widgetUrl: bareUrl, accessToken: () => accessToken() }),
  mount: (source, behaviour) => mount(source, behaviour, false),
  mountTwice: (source, behaviour) => mount(source, behaviour, true),
}

// React listens to the document from its first root on, for good.
createRoot(document.createElement('div')).unmount()

conformance(react)
