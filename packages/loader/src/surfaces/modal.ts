/** The dialog around a frame: a native one, so that focus, Esc and the page behind it are the browser's business. */
import type { WidgetStrings } from '../types.ts'
import { add } from './shell.ts'

export function createDialog(
  root: Node,
  { title, close }: WidgetStrings,
  onclose: () => void,
): HTMLDialogElement {
  const dialog = add(root, 'dialog', { ariaLabel: title, onclose })
  add(dialog, 'button', { textContent: close, onclick: () => dialog.close() })
  return dialog
}
