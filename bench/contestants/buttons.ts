/** Ways to open the widget on a click, each the body of a module script on a page with a `#buy` button. */

const shared = `
  const token = () => fetch('/api/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((r) => r.json())
  const frameFor = ({ widgetUrl, accessToken }) => {
    const frame = document.createElement('iframe')
    frame.width = 400
    frame.height = 600
    frame.src = widgetUrl + '/widget/?accessToken=' + accessToken
    return frame
  }
  const buy = document.querySelector('#buy')
`

/** Code that a careful developer would write by hand. */
export const byHand = {
  onClick: `${shared}
    buy.addEventListener('click', async () => document.body.append(frameFor(await token())))`,

  popup: `${shared}
    buy.addEventListener('click', async () => {
      const view = open('', '_blank', 'width=480,height=720')
      const { widgetUrl, accessToken } = await token()
      view.location.replace(widgetUrl + '/widget/?accessToken=' + accessToken)
    })`,

  // The server redirects the frame to the widget, as `GET /launch` does.
  link: `${shared}
    buy.addEventListener('click', () => {
      const frame = document.createElement('iframe')
      frame.width = 400
      frame.height = 600
      frame.src = '/api/launch?product_id=gold-100'
      document.body.append(frame)
    })`,

  popupLink: `${shared}
    buy.addEventListener('click', () => { open('/api/launch?product_id=gold-100', '_blank', 'width=480,height=720') })`,

  onIntent: `${shared}
    let early
    buy.addEventListener('pointerenter', () => { early ??= token() })
    buy.addEventListener('click', async () => document.body.append(frameFor(await (early ?? token()))))`,

  hiddenFrame: `${shared}
    const frame = frameFor(await token())
    frame.style.visibility = 'hidden'
    document.body.append(frame)
    buy.addEventListener('click', () => { frame.style.visibility = 'visible' })`,
} as const

type Mode = 'iframe' | 'modal' | 'popup'

/** Uses the companion's link, for which the page fetches nothing. */
const link = "widgetOrigin, params: { product_id: 'gold-100' }"
/** Uses a token in the page. */
const token = 'pageToken: true'

const openedBy = (way: string, mode: Mode, preload: 'none' | 'intent' | 'eager'): string => `
  import { createPurchaseWidget } from '/loader/index.js'
  const buy = document.querySelector('#buy')
  const widget = createPurchaseWidget({ companion: '/api', ${way}, mode: '${mode}', preload: '${preload}'${mode === 'iframe' ? ", container: '#slot'" : ''} })
  buy.addEventListener('click', () => { widget.open() })
  ${preload === 'intent' ? "buy.addEventListener('pointerenter', () => { widget.preload() })" : ''}
`

/** The loader, with each way to start. */
export const ours = {
  byLink: (mode: Mode) => openedBy(link, mode, 'none'),
  onClick: (mode: Mode) => openedBy(token, mode, 'none'),
  onIntent: (mode: Mode) => openedBy(link, mode, 'intent'),
  eager: (mode: Mode) => openedBy(link, mode, 'eager'),
} as const
