/**
 * What can happen to a widget in the life of a page, as one list of cases. The React component and the custom element have to pass it.
 */
import type { TokenSource, WidgetBehaviour } from '@purchase-widget/loader'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from 'vitest/browser'
import { type Addresses, findAddresses } from '../addresses.ts'
import { eventually } from '../eventually.ts'
import { frames, holdings, settle, tokenCallCount, watchNetwork, watchPage } from './measure.ts'

/** Options that every subject takes, and that can change while it is on the page. */
export type Behaviour = Pick<
  WidgetBehaviour,
  | 'redirectPage'
  | 'params'
  | 'loadTimeout'
  | 'title'
  | 'locale'
  | 'theme'
  | 'strings'
  | 'allowedReturnOrigins'
>

export interface Subject {
  name: string
  /** Whether there is something like Activity; React 18 has none. */
  canHide: boolean
  /** Which widget it opens. */
  source(addresses: Addresses): TokenSource
  /** Puts a widget on the page and shows it there. */
  mount(source: TokenSource, behaviour: Behaviour): Mounted
  /** As `mount`, but taken back once and done again in the same breath, as React's StrictMode does. */
  mountTwice(source: TokenSource, behaviour: Behaviour): Mounted
}

export interface Mounted {
  /** Of the widget's state, as its page hears of it. */
  status(): string
  /** Says again what is wanted: equal options, and functions, that are new objects each time. */
  update(behaviour: Behaviour): void
  unmount(): void
  /** Hides it while the page waits for something else, as Suspense does, and shows it again. */
  suspend(): Promise<void>
  resume(): Promise<void>
  /** Puts it away in such a way that it may come back, as Activity does. */
  hide(): void
  show(): void
}

type Mount = (how: 'mount' | 'mountTwice') => Mounted

/** Written anew for each update, so that nothing is equal but by value. */
const behaviour = (): Behaviour => ({
  redirectPage: 'self',
  params: { product_id: 'gold-100', quote: 'USD' },
  strings: { close: 'Close' },
  allowedReturnOrigins: ['https://shop.example'],
  loadTimeout: 20_000,
  title: 'Purchase',
  locale: 'en',
  theme: 'light',
})

const changes: Behaviour[] = [
  { redirectPage: 'new' },
  { params: { product_id: 'gold-550', quote: 'USD' } },
  { strings: { close: 'Done' } },
]

const renders = 1_000

const loaded = (mounted: Mounted): Promise<void> => eventually(() => expect(mounted.status()).toBe('loaded'))

export function conformance(subject: Subject): void {
  describe(subject.name, () => {
    let source: TokenSource
    beforeAll(async () => {
      source = subject.source(await findAddresses())
    })

    /** Runs a case, takes away what it mounted, which must leave nothing, and says how many token calls it cost. */
    async function tokensOf(run: (mount: Mount) => Promise<void>): Promise<number> {
      const all: Mounted[] = []
      const before = holdings()
      const tokens = tokenCallCount()
      try {
        await run((how) => {
          const mounted = subject[how](source, behaviour())
          all.push(mounted)
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
      commands.recordFigure(`${subject.name}: ${what}`, figure)

    it('shows one frame for one token call, and leaves nothing', async () => {
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mount')
        await loaded(mounted)
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(1)
    })

    it('shows one frame for one token call when it is mounted twice in one breath', async () => {
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mountTwice')
        await loaded(mounted)
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(1)
    })

    it(`touches neither page nor network when it is told the same ${renders} times`, async () => {
      let cost = { changes: Number.NaN, requests: Number.NaN }
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mount')
        await loaded(mounted)
        const [frame] = frames()
        await settle()
        const changes = watchPage()
        const requests = watchNetwork()
        for (let render = 0; render < renders; render += 1) mounted.update(behaviour())
        await settle()
        cost = { changes: changes(), requests: requests() }
        expect(frames()).toHaveLength(1)
        expect(frames()[0]).toBe(frame)
      })
      expect({ ...cost, tokens }).toEqual({ changes: 0, requests: 0, tokens: 1 })
      await record(
        `told the same ${renders} times`,
        `${cost.changes} changes of the page, ${cost.requests} requests, ${tokens} token call in all`,
      )
    })

    it.each(changes)('makes a new frame for %j', async (change) => {
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mount')
        await loaded(mounted)
        const [old] = frames()
        mounted.update({ ...behaviour(), ...change })
        await loaded(mounted)
        expect(frames()).toHaveLength(1)
        expect(frames()[0]).not.toBe(old)
      })
      expect(tokens).toBe(2)
    })

    it('leaves nothing when it goes while it loads', async () => {
      const tokens = await tokensOf(async (mount) => {
        mount('mount')
        await eventually(() => expect(frames()).toHaveLength(1))
      })
      expect(tokens).toBeLessThanOrEqual(1)
      expect(frames()).toHaveLength(0)
    })

    it('comes back after it was gone', async () => {
      const tokens = await tokensOf(async (mount) => {
        const first = mount('mount')
        await loaded(first)
        first.unmount()
        await settle()
        expect(frames()).toHaveLength(0)
        const second = mount('mount')
        await loaded(second)
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(2)
    })

    it('shows twenty at once', async () => {
      let shown = 0
      const tokens = await tokensOf(async (mount) => {
        const all = Array.from({ length: 20 }, () => mount('mount'))
        await Promise.all(all.map(loaded))
        shown = frames().length
      })
      expect({ shown, tokens }).toEqual({ shown: 20, tokens: 20 })
      await record('twenty at once', `${shown} frames, ${tokens} token calls, ${frames().length} frames left`)
    })

    it('keeps its frame while the page around it waits', async () => {
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mount')
        await loaded(mounted)
        const [frame] = frames()
        await mounted.suspend()
        await mounted.resume()
        expect(frames()).toHaveLength(1)
        expect(frames()[0]).toBe(frame)
      })
      expect(tokens).toBe(1)
    })

    if (!subject.canHide) return
    it('is gone while it is put away, and makes a new frame when it comes back', async () => {
      const tokens = await tokensOf(async (mount) => {
        const mounted = mount('mount')
        await loaded(mounted)
        mounted.hide()
        await settle()
        expect(frames()).toHaveLength(0)
        mounted.show()
        await loaded(mounted)
        expect(frames()).toHaveLength(1)
      })
      expect(tokens).toBe(2)
    })
  })
}
