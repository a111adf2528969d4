/** Typeform: a popup of the page, which is a frame. */
import { createPopup } from '@typeform/embed'

export const create = (address) => createPopup(address)
