/** The console: a menu, the selected view and the clock. */
import { type JSX, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ConsoleState } from '../control/state.ts'
import { useFocusOnMount } from '../widget/parts/focus.tsx'
import { Rosette } from '../widget/parts/Rosette.tsx'
import { Clock } from './parts/Clock.tsx'
import { useConsole } from './useConsole.ts'
import { addressOf, usePlace } from './usePlace.ts'
import { Faults } from './views/Faults.tsx'
import { Subscriptions, Tokens, Users } from './views/Lists.tsx'
import { Orders } from './views/Orders.tsx'
import { Requests } from './views/Requests.tsx'
import { Switches } from './views/Switches.tsx'
import { Webhooks } from './views/Webhooks.tsx'

/** The views in menu order, each with the list that its badge counts. */
const views = {
  orders: { title: 'Orders', View: Orders, count: ({ orders }: ConsoleState) => orders.length },
  users: { title: 'Users', View: Users, count: ({ users }: ConsoleState) => users.length },
  subscriptions: {
    title: 'Subscriptions',
    View: Subscriptions,
    count: ({ subscriptions }: ConsoleState) => subscriptions.length,
  },
  tokens: { title: 'Tokens', View: Tokens, count: ({ tokens }: ConsoleState) => tokens.length },
  webhooks: {
    title: 'Webhooks',
    View: Webhooks,
    count: ({ webhooks }: ConsoleState) => webhooks.deliveries.length,
  },
  requests: {
    title: 'Requests',
    View: Requests,
    count: ({ requests }: ConsoleState) => requests.filter(({ repeat }) => !repeat).length,
  },
  switches: {
    title: 'Switches',
    View: Switches,
    count: ({ switches }: ConsoleState) => switches.filter((one) => one.value !== one.default).length,
  },
  faults: { title: 'Faults', View: Faults, count: ({ faults }: ConsoleState) => faults.length },
} as const

type ViewName = keyof typeof views
// The table's keys are exactly the view names.
const names = Object.keys(views) as ViewName[]

function Console(): JSX.Element {
  const { state, connected, refusal, act } = useConsole()
  const { view: name, find } = usePlace(names, 'orders')
  const { title, View } = views[name]
  return (
    <div class="console">
      <header class="masthead">
        <p class="brand">
          <Rosette seed="sandbox" /> Purchase sandbox
        </p>
        {state && <Clock state={state} act={act} />}
      </header>
      <Menu state={state} current={name} />
      <main>
        <div class="title">
          <Heading key={name}>{title}</Heading>
          <p class={connected ? 'live' : 'live lost'} role="status">
            {connected ? 'Live' : 'The sandbox does not answer'}
          </p>
        </div>
        {refusal && (
          <p class="notice" role="alert">
            {refusal}
          </p>
        )}
        {state && <View key={name} state={state} act={act} find={find} />}
      </main>
    </div>
  )
}

/** Takes the focus after a link has opened the view, so that keyboard users continue from there. */
function Heading({ children }: { children: string }): JSX.Element {
  return (
    <h1 tabIndex={-1} ref={useFocusOnMount<HTMLHeadingElement>()}>
      {children}
    </h1>
  )
}

function Menu({ state, current }: { state: ConsoleState | null; current: ViewName }): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  // On a phone the menu is a scrolling row, which becomes wider once the counts have loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another view is current, and when the counts have come
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current, state === null])
  return (
    <nav aria-label="Console">
      <ul ref={list}>
        {names.map((name) => (
          <li key={name}>
            <a href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
              {views[name].title}
              {state && <span class="count">{views[name].count(state)}</span>}
            </a>
          </li>
        ))}
        <li class="elsewhere">
          <a href="/_sandbox/openapi.json">openapi.json</a>
        </li>
      </ul>
    </nav>
  )
}

const root = document.getElementById('console')
if (root) render(<Console />, root)
