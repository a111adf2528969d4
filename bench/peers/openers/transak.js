/** Transak: its own dialog with a frame. */
import { Transak } from '@transak/ui-js-sdk'

export const create = (address) => {
  const transak = new Transak({ widgetUrl: address })
  return { open: () => transak.init(), close: () => transak.close() }
}
