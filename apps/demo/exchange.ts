/**
 * The data exchanged between server and pages: deliveries, and the story of a purchase, to which the pages add their events and
 * the server its calls.
 */

export const actors = ['widget', 'page', 'server', 'service'] as const
export type Actor = (typeof actors)[number]

/** One step: an arrow between two actors, or a note beside one. Contains no id, token or personal data. */
export interface Step {
  from: Actor
  to: Actor
  /** Description in words. */
  text: string
  /** The technical name: a route, an operation, an event, a state. */
  call?: string
  tone?: 'good' | 'bad'
  /** A click on Buy starts a new story. */
  begins?: true
}

export interface TimedStep extends Step {
  id: number
  /** Time of the step in epoch milliseconds; steps of a page arrive slightly later, and not always in order. */
  at: number
}

/** How the shop has fulfilled one shopper's paid orders: its server stores this, and its pages show it. */
export interface Fulfilled {
  /** Ids of orders. */
  delivered: string[]
  held: string[]
}
