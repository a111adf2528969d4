/** The widget in the place of this page. */
import type { Host, Surface } from './surface.ts'

export const createRedirect = ({ say }: Host): Surface => ({
  leaves: true,
  view: () => window,
  go: (url) => location.assign(url),
  show() {},
  focus() {},
  say,
  remove: () => say(),
})
