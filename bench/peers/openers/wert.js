/** Wert: a frame over the page. */
import WertWidget from '@wert-io/widget-initializer'

export const create = (address) =>
  new WertWidget({ partner_id: 'bench', origin: new URL(address).origin, listeners: {} })
