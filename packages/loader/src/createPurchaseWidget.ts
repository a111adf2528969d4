import { createLateSession } from './lateSession.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from './types.ts'
import { createWidget } from './widget.ts'

/**
 * Creates a widget. Nothing opens or starts before `open()`, unless `preload` says so; the loader's second file loads when the page is idle,
 * and at the latest in the click.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change, in the development build. In production, `open()` ends
 * with that error for options that must not be opened.
 */
export const createPurchaseWidget = (options: PurchaseWidgetOptions): PurchaseWidget =>
  createWidget(options, createLateSession)
