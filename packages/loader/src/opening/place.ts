/** Where the widget shows: the surface that was asked for, or what is left of it in this browser. */
import { widgetError } from '../errors.ts'
import { own } from '../names.ts'
import type { Opening, Target } from '../opening.ts'
import type { Settings } from '../settings.ts'
import { createFrame } from '../surfaces/frame.ts'
import { createModal } from '../surfaces/modal.ts'
import { createWindow } from '../surfaces/popup.ts'
import { createRedirect } from '../surfaces/redirect.ts'
import type { Host } from '../surfaces/surface.ts'
import type { Mode } from '../types.ts'
import { type Click, takeClick } from './click.ts'

const hostOf = (opening: Opening): Host => own({ ...opening, mode: opening.now.mode })

/**
 * Opens the window, where one was asked for; in the click, since browsers block it later. Gives the target that the window is on its way to.
 *
 * @param mode Where it is to show from now on.
 * @param click What the click has opened already.
 * @throws WidgetError `popup_blocked`
 */
export function placeWindow(
  opening: Opening,
  whenBlocked: Settings['whenBlocked'],
  mode: Mode = opening.now.mode,
  click: Click | undefined = undefined,
): Target | undefined {
  opening.drop()
  opening.place(undefined, mode)
  const opened = click ?? takeClick(opening, mode)
  if (!opened) return undefined
  const { view, name, target } = opened
  if (view) {
    opening.place(own(createWindow(hostOf(opening), view, name, !!target)))
    return target
  }
  opening.emit('blocked', { instead: whenBlocked })
  if (whenBlocked === 'none') throw widgetError('popup_blocked')
  opening.place(undefined, whenBlocked)
  return undefined
}

const makers = { iframe: createFrame, modal: createModal, redirect: createRedirect, popup: createModal }

/** Makes any other surface, unless there is one; nothing is seen of it yet. */
export function placeRest(opening: Opening): void {
  const { now } = opening
  opening.place(now.surface ?? own(makers[now.mode](hostOf(opening))))
}
