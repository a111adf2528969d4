/** Typeform: a popup within the page, implemented as a frame. */
import { createPopup } from '@typeform/embed'

export const create = (address) => createPopup(address)
