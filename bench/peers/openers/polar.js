/** Polar: a frame over the page, and a spinner. */
import { PolarEmbedCheckout } from '@polar-sh/checkout/embed'

export const create = (address) => ({
  open: () => void PolarEmbedCheckout.create(address),
  close: () => document.querySelector('iframe')?.remove(),
})
