/** The same purchase, but the page itself fetches a token from the companion, and the loader builds the widget's address from it. */
import { buildWidgetUrl } from '@purchase-widget/loader/url'
import { type ReactNode, useEffect, useState } from 'react'
import { catalogue } from '../catalogue.ts'
import { readChoices } from './Choices.tsx'
import { CodePanel, reactSnippet } from './Code.tsx'
import { Desk } from './Desk.tsx'
import { tell } from './Story.tsx'

/** The response of `POST /token`. */
interface Grant {
  accessToken: string
  widgetUrl: string
  params: Readonly<Record<string, string>>
}

const [product] = catalogue
const choices = readChoices(new URLSearchParams())
const code = reactSnippet({ ...choices, productId: product.id, name: product.name, pageToken: true })

export function TokenPage(): ReactNode {
  const [cheats, setCheats] = useState(false)
  const [grant, setGrant] = useState<Grant>()

  useEffect(
    () =>
      interceptGrants((granted) => {
        const used = cheats ? cheat(granted) : granted
        setGrant(used)
        return used
      }),
    [cheats],
  )

  return (
    <Desk
      product={product}
      choices={choices}
      pageToken
      heading={
        <div className="claim">
          <h1>With a token in the page</h1>
          <p>
            The page fetches an access token from its companion, and the loader builds the widget’s address
            from it. Any script of the page can do that too, so a shop prefers the link.
          </p>
        </div>
      }
      code={<CodePanel tabs={{ React: code }} />}
    >
      <section className="address" aria-labelledby="address">
        <h2 id="address">The address that the loader builds</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and a keyboard has to be able to scroll them. */}
        <pre className="address-lines" tabIndex={0}>
          {grant ? addressOf(grant) : '{widget_url}/widget/\n  ?accessToken=…\n  &product_id=…'}
        </pre>
        <label>
          <input type="checkbox" checked={cheats} onChange={(event) => setCheats(event.target.checked)} />
          <span>
            Cheat: change the price to one cent on the way. The payment goes through; the server compares the
            order with what it sold, and delivers nothing.
          </span>
        </label>
      </section>
    </Desk>
  )
}

function cheat(grant: Grant): Grant {
  tell({ from: 'page', to: 'page', text: 'A script changes the price', call: 'quote_amount', tone: 'bad' })
  return { ...grant, params: { ...grant.params, quote_amount: '0.01' } }
}

/** One parameter per line, with the token masked, because it gives access to every order of the business. */
function addressOf({ widgetUrl, params }: Grant): string {
  const [page, query = ''] = buildWidgetUrl({ widgetUrl, accessToken: 'TOKEN', params }).split('?')
  const lines = query.replace('TOKEN', '••••••').split('&').map(decodeURIComponent)
  return `${page}\n  ?${lines.join('\n  &')}`
}

/** Passes each response of `POST /token` through `change`, as any script on a page can; returns the undo function. */
function interceptGrants(change: (grant: Grant) => Grant): () => void {
  const untouched = window.fetch
  window.fetch = async (input, init) => {
    const response = await untouched(input, init)
    if (!response.ok || new URL(response.url).pathname !== '/api/purchase-widget/token') return response
    return Response.json(change(await response.json()))
  }
  return () => {
    window.fetch = untouched
  }
}
