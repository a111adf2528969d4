/** The widget in place of this page. */
import { isOfWidget, openLink } from './address.ts'
import type { Host, Surface } from './surface.ts'

export const createRedirect = ({ setNotice }: Host): Surface => ({
  leaves: true,
  view: () => window,
  go: (url, origin) => (isOfWidget(url, origin) ? location.assign(url) : openLink(url)),
  show() {},
  focus() {},
  setNotice,
  remove: () => setNotice(),
})
