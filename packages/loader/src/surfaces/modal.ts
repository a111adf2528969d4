/** The dialog around a frame: native, so that focus, Esc and the page behind it are the browser's business. */
import type { WidgetStrings } from '../types.ts'
import { add } from './shell.ts'

export function createModal(
  root: ShadowRoot,
  strings: WidgetStrings,
  onclose: () => void,
): HTMLDialogElement {
  const dialog = add(root, 'dialog', { ariaLabel: strings.title, onclose })
  add(dialog, 'button', {
    type: 'button',
    textContent: '×',
    ariaLabel: strings.close,
    onclick: () => dialog.close(),
  })
  return dialog
}
