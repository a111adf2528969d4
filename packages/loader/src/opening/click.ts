/** What has to happen in the click itself, since a browser opens no window afterwards. */
import { nullProto } from '../names.ts'
import type { Target } from '../opening.ts'
import { storedPurchaseId } from '../outcome/kept.ts'
import { newName } from '../surfaces/address.ts'
import type { Mode } from '../types.ts'
import { type Given, type LinkOptions, linkOf } from './link.ts'

type ClickOptions = LinkOptions & Given<'mode' | 'container' | 'popup'>

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']

/** The mode if the options name none that exists, as an attribute may: in their container, otherwise in a dialog. */
export const modeOf = ({ mode, container }: Pick<ClickOptions, 'mode' | 'container'>): Mode =>
  modes.find((each) => each === mode) ?? (container ? 'iframe' : 'modal')

/** What a click has opened. */
export interface Click {
  /** null if the browser has blocked it. */
  readonly view: Window | null
  /** The name of the window. */
  readonly name: string
  /** What the window is loading; undefined while it is blank. */
  readonly target?: Target | undefined
}

/**
 * Whether a window is open, and not back on a page of this site. Until it has left its blank page, it counts as away.
 *
 * @param url A page of this site that counts as away too.
 */
export function isAway(view: Window, url = ''): boolean {
  try {
    return !view.closed && (view.location.href === url || !view.location.href.startsWith('http'))
  } catch {
    return true
  }
}

const WIDTH = 480
const HEIGHT = 720
/** The features with which a popup opens. */
export const popupFeatures: string = `width=${WIDTH},height=${HEIGHT}`

/** Opens a window, or without features a tab. Returns null if the browser blocks it, or if the page has replaced `open` with something that throws. */
export function openWindow(url: string, name: string, features: string): Window | null {
  try {
    return open(url, name, features)
  } catch {
    return null
  }
}

/**
 * Opens the window of a popup or of a tab of its own: at the purchase's link, or blank if the companion has to be asked for the address first.
 * Returns undefined if the mode needs no window.
 *
 * While the tab keeps an earlier purchase, the window is blank too, so that no shopper pays twice.
 *
 * @param before An earlier window of the same purchase: the new one opens at its target, or blank without one.
 */
export function openClickWindow(
  options: ClickOptions,
  mode: Mode,
  before?: Pick<Click, 'target'>,
): Click | undefined {
  const asPopup = mode === 'popup'
  if (!asPopup && (mode !== 'redirect' || options.redirectPage !== 'new')) return undefined
  const name = newName()
  const target = before ? before.target : storedPurchaseId() ? undefined : linkOf(options, mode)
  const { width, height } = nullProto(options.popup ?? {})
  const features = `width=${width ?? WIDTH},height=${height ?? HEIGHT}`
  const view = openWindow(target?.url ?? '', name, asPopup ? features : '')
  // A tab of its own loses its opener, so that the widget's page can't navigate this one. A popup keeps it: without an opener it could not be
  // closed once it shows the widget's origin.
  if (view && target && !asPopup) view.opener = null
  return { view, name, target: view ? target : undefined }
}
