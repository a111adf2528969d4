/** The widget in the place of this page. */
import type { Settings } from '../settings.ts'
import { createBar } from './bar.ts'
import type { Surface } from './surface.ts'

export function createRedirect(settings: Settings): Surface {
  const say = createBar(settings)
  return {
    leaves: true,
    view: () => window,
    go: (url) => location.assign(url),
    show() {},
    focus() {},
    say,
    remove: () => say(),
  }
}
