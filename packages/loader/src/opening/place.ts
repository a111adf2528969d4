/** Where the widget shows: the surface that was asked for, or what is left of it in this browser. */
import { widgetError } from '../errors.ts'
import { own } from '../own.ts'
import { drop, type Run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { createFrame } from '../surfaces/frame.ts'
import { createModal } from '../surfaces/modal.ts'
import { createWindow } from '../surfaces/popup.ts'
import { createRedirect } from '../surfaces/redirect.ts'
import { takeClick } from './click.ts'

/**
 * Opens the window, where one was asked for; in the click, since browsers block it later.
 *
 * @throws WidgetError `popup_blocked`
 */
export function placeWindow(run: Run, whenBlocked: Settings['whenBlocked']): void {
  const { mode } = run
  drop(run)
  run.click ??= takeClick(run, mode)
  if (!run.click) return
  if (run.click.view) {
    const { view, name, target } = run.click
    run.surface = own(createWindow(run, view, name, !!target))
    return
  }
  run.click = undefined
  run.emit('blocked', { instead: whenBlocked })
  if (whenBlocked === 'none') throw widgetError('popup_blocked')
  run.mode = whenBlocked
}

const makers = { iframe: createFrame, modal: createModal, redirect: createRedirect, popup: createModal }

/** Makes any other surface, unless there is one. */
export function placeRest(run: Run): void {
  run.surface ??= own(makers[run.mode](run))
  if (run.shown) run.surface.show()
}
