/** Where the test pages find what `service.ts` serves. */
export const companionPath = '/api/purchase-widget'
export const returnPath = '/return-page'
export const addressesPath = '/addresses'

export interface Addresses {
  /** The sandbox's widget page. */
  sandboxUrl: string
  /** A widget page without content. */
  bareUrl: string
}
