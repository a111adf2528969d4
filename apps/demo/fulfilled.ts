/** What the shop has made of one shopper's paid orders: its server keeps it, and its pages show it. */
export interface Fulfilled {
  /** Ids of orders. */
  delivered: string[]
  held: string[]
}
