/** Ways to open the widget at a known address, so that only the opening is measured: `window.bench` has `open()` and `close()`. */

const address = (widget: string): string => `'${widget}/widget/?accessToken=bench'`

type Source = (widget: string) => string

const byLink: Source = (widget) => `companion: '/api', widgetOrigin: '${widget}'`
const byToken: Source = (widget) => `widgetUrl: '${widget}', accessToken: 'bench'`

/** With the second stage already loaded, as after an idle period, so that the whole opening is in the task. */
const loader = (mode: 'iframe' | 'modal', from: Source) => (widget: string) =>
  `
  import { createPurchaseWidget } from '/loader/sync.js'
  const widget = createPurchaseWidget({ ${from(widget)}, mode: '${mode}'${mode === 'iframe' ? ", container: '#slot'" : ''} })
  window.bench = { open: () => { widget.open() }, close: () => widget.close() }`

const byHand =
  (wrap: string, show = '', atOnce = true) =>
  (widget: string) =>
    `
  let shown
  window.bench = {
    open() {
      const frame = document.createElement('iframe')
      frame.width = 400
      frame.height = 600
      ${atOnce ? `frame.src = ${address(widget)}` : ''}
      ${wrap}
      document.body.append(shown)
      ${show}
      ${atOnce ? '' : `frame.contentWindow.location.replace(${address(widget)})`}
    },
    close: () => shown.remove(),
  }`

export const peerOpener = (name: string) => (widget: string) =>
  `
  import { create } from '/scripts/${name}'
  window.bench = create(${address(widget)})`

/** The source of each contestant's module, for a widget's origin. */
export const openers: Record<string, (widget: string) => string> = {
  'a frame by hand': byHand('shown = frame'),
  'a dialog by hand': byHand(
    "shown = document.createElement('dialog'); shown.append(frame)",
    'shown.showModal()',
  ),
  // As the loader does with a token: an address in an attribute exposes its token to every script and session recording on the page.
  'a frame by hand, its address in no attribute': byHand('shown = frame', '', false),
  'loader, iframe': loader('iframe', byLink),
  'loader, modal': loader('modal', byLink),
  'loader, iframe, with a token': loader('iframe', byToken),
  'loader, modal, with a token': loader('modal', byToken),
}
