/** Where the widget opens: the surface that was requested, or what this browser allows in its place. */
import { widgetError } from '../errors.ts'
import { nullProto } from '../names.ts'
import type { Opening, Target } from '../opening.ts'
import type { Settings } from '../settings.ts'
import { createFrame } from '../surfaces/frame.ts'
import { createModal } from '../surfaces/modal.ts'
import { createRedirect, createWindow } from '../surfaces/popup.ts'
import type { Host } from '../surfaces/surface.ts'
import type { Mode } from '../types.ts'
import { type Click, openClickWindow } from './click.ts'

const hostOf = (opening: Opening): Host => nullProto({ ...opening, mode: opening.now.mode })

/**
 * Opens the window if one was requested; in the click, since browsers block it later. Returns the target that the window is loading.
 *
 * @param mode The mode from now on.
 * @param click What the click has already opened.
 * @throws WidgetError `popup_blocked`
 */
export function placeWindow(
  opening: Opening,
  whenBlocked: Settings['whenBlocked'],
  mode: Mode = opening.now.mode,
  click: Click | undefined = undefined,
): Target | undefined {
  opening.removeSurface()
  opening.place(undefined, mode)
  // The purchase of an earlier navigation goes on, in a blank window until the server has been asked about it.
  const before = opening.now.target && { target: undefined }
  const opened = click ?? openClickWindow(opening, mode, before)
  if (!opened) return undefined
  const { view, name, target } = opened
  if (view) {
    opening.place(nullProto(createWindow(hostOf(opening), view, name, !!target)))
    return target
  }
  opening.emit('blocked', { instead: whenBlocked })
  // A listener has closed or destroyed the widget.
  if (opening.now.ended) return undefined
  if (whenBlocked === 'none') throw widgetError('popup_blocked')
  opening.place(undefined, whenBlocked)
  return undefined
}

const makers = { iframe: createFrame, modal: createModal, redirect: createRedirect, popup: createModal }

/** Creates any other surface, unless there is one; it is not visible yet. */
export function ensureSurface(opening: Opening): void {
  const { now } = opening
  opening.place(now.surface ?? nullProto(makers[now.mode](hostOf(opening))))
}
