import { openEarly } from './early.ts'
import { secondStage } from './stage.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from './types.ts'
import { createWidget } from './widget.ts'

/**
 * Makes a widget. Nothing is opened or begun before `open()`, unless `preload` says so; the loader's second file is loaded when the page is
 * idle, and at the latest in the click.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change, in the development build. In production, options that may
 * not be opened end `open()` with that error.
 */
export const createPurchaseWidget = (options: PurchaseWidgetOptions): PurchaseWidget =>
  createWidget(options, secondStage, openEarly)
