// Promise: react/one-frame
/** What can happen to a component in the life of a page: one frame for one token call, and nothing is left. */
import { PurchaseWidget, type PurchaseWidgetProps } from '@purchase-widget/react'
import * as React from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from 'vitest/browser'
import {
  accessToken,
  bareUrl,
  eventually,
  frames,
  holdings,
  settle,
  tokenCallCount,
  watchNetwork,
  watchPage,
} from '../measure.ts'

const { StrictMode, Suspense } = React
// React 18 does not have it.
const Activity: typeof React.Activity | undefined = React.Activity

beforeAll(() => {
  // From its first root on, React listens to the document for good.
  createRoot(document.createElement('div')).unmount()
})

type Behaviour = Pick<PurchaseWidgetProps, 'redirectPage' | 'params' | 'strings' | 'allowedReturnOrigins'>

/** Created anew for each render, so that objects are equal only by value. */
const behaviour = (): Behaviour => ({
  redirectPage: 'self',
  params: { product_id: 'gold-100', quote: 'USD' },
  strings: { close: 'Close' },
  allowedReturnOrigins: ['https://shop.example'],
})

const changes: Behaviour[] = [
  { redirectPage: 'new' },
  { params: { product_id: 'gold-550', quote: 'USD' } },
  { strings: { close: 'Done' } },
]

/** Throws a promise until it resolves, as a lazy component does. */
function Waits({ promise }: { promise: Promise<void> | null }): null {
  if (promise) throw promise
  return null
}

interface Around {
  waitsFor?: Promise<void> | null
  isHidden?: boolean
}

type Mounted = ReturnType<typeof mount>

/** A component on the page, inside everything that React may put around it. */
function mount(isStrict = false) {
  const element = document.body.appendChild(document.createElement('div'))
  const root = createRoot(element)
  let status = ''
  return {
    element,
    status: () => status,
    forget() {
      status = ''
    },
    render(options: Behaviour, { waitsFor = null, isHidden = false }: Around = {}) {
      const page = (
        <Suspense fallback="Waiting">
          <Waits promise={waitsFor} />
          <PurchaseWidget
            widgetUrl={bareUrl}
            accessToken={() => accessToken()}
            {...options}
            interpretMessage={() => null}
            onSuccess={() => {}}
            onStateChange={(state) => {
              status = state.status
            }}
          />
        </Suspense>
      )
      const within = Activity ? <Activity mode={isHidden ? 'hidden' : 'visible'}>{page}</Activity> : page
      flushSync(() => root.render(isStrict ? <StrictMode>{within}</StrictMode> : within))
    },
    unmount() {
      flushSync(() => root.unmount())
      element.remove()
    },
  }
}

const loaded = (mounted: Mounted): Promise<void> => eventually(() => expect(mounted.status()).toBe('loaded'))

/** Runs a case, unmounts what it mounted, which must leave nothing, and returns how many token calls it cost. */
async function tokensOf(run: (show: (isStrict?: boolean) => Mounted) => Promise<void>): Promise<number> {
  const all: Mounted[] = []
  const before = holdings()
  const tokens = tokenCallCount()
  try {
    await run((isStrict) => {
      const mounted = mount(isStrict)
      all.push(mounted)
      mounted.render(behaviour())
      return mounted
    })
  } finally {
    for (const mounted of all) mounted.unmount()
    await settle()
  }
  expect(holdings()).toEqual(before)
  return tokenCallCount() - tokens
}

const record = (what: string, figure: string): Promise<void> =>
  commands.recordFigure(`the component in React ${React.version}: ${what}`, figure)

const renders = 1_000

describe(`the component in React ${React.version}`, () => {
  it.each([false, true])(
    'shows one frame for one token call, and leaves nothing (StrictMode: %s)',
    async (isStrict) => {
      const tokens = await tokensOf(async (show) => {
        await loaded(show(isStrict))
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(1)
    },
  )

  it(`touches neither page nor network when it is rendered ${renders} times with the same props`, async () => {
    let cost = { changes: Number.NaN, requests: Number.NaN }
    const tokens = await tokensOf(async (show) => {
      const mounted = show()
      await loaded(mounted)
      const before = frames()
      await settle()
      const changes = watchPage()
      const requests = watchNetwork()
      for (let render = 0; render < renders; render += 1) mounted.render(behaviour())
      await settle()
      cost = { changes: changes(), requests: requests() }
      expect(frames()).toEqual(before)
    })
    expect({ ...cost, tokens }).toEqual({ changes: 0, requests: 0, tokens: 1 })
    await record(
      `rendered ${renders} times`,
      `${cost.changes} changes of the page, ${cost.requests} requests, ${tokens} token call in all`,
    )
  })

  it.each(changes)('makes a new frame for %j', async (change) => {
    const tokens = await tokensOf(async (show) => {
      const mounted = show()
      await loaded(mounted)
      const [old] = frames()
      mounted.forget()
      mounted.render({ ...behaviour(), ...change })
      await loaded(mounted)
      expect(frames()).toHaveLength(1)
      expect(frames()[0]).not.toBe(old)
    })
    expect(tokens).toBe(2)
  })

  it('leaves nothing when it is unmounted while it loads, and loads when it is mounted again', async () => {
    const tokens = await tokensOf(async (show) => {
      const first = show()
      await eventually(() => expect(frames()).toHaveLength(1))
      first.unmount()
      await settle()
      expect(frames()).toHaveLength(0)
      await loaded(show())
      expect(frames()).toHaveLength(1)
    })
    expect(tokens).toBe(2)
  })

  it('shows twenty frames at once', async () => {
    const tokens = await tokensOf(async (show) => {
      await Promise.all(Array.from({ length: 20 }, () => show()).map(loaded))
      expect(frames()).toHaveLength(20)
    })
    expect(tokens).toBe(20)
  })

  it('keeps its frame while the page around it is suspended', async () => {
    const tokens = await tokensOf(async (show) => {
      const mounted = show()
      await loaded(mounted)
      const before = frames()
      let resume = (): void => {}
      const waitsFor = new Promise<void>((resolve) => {
        resume = resolve
      })
      mounted.render(behaviour(), { waitsFor })
      await eventually(() => expect(mounted.element.textContent).toContain('Waiting'))
      resume()
      mounted.render(behaviour())
      await eventually(() => expect(mounted.element.textContent).not.toContain('Waiting'))
      expect(frames()).toEqual(before)
    })
    expect(tokens).toBe(1)
  })

  it.skipIf(!Activity)(
    'is gone while Activity hides it, and makes a new frame when it comes back',
    async () => {
      const tokens = await tokensOf(async (show) => {
        const mounted = show()
        await loaded(mounted)
        mounted.forget()
        mounted.render(behaviour(), { isHidden: true })
        await settle()
        expect(frames()).toHaveLength(0)
        mounted.render(behaviour())
        await loaded(mounted)
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(2)
    },
  )
})
