/**
 * What server and pages tell each other: what was delivered, and the story of a purchase, to which the pages add what they saw and the server
 * its calls.
 */

export const actors = ['widget', 'page', 'server', 'service'] as const
export type Actor = (typeof actors)[number]

/** One step: an arrow between two actors, or a note beside one. Holds no id, token or personal data. */
export interface Step {
  from: Actor
  to: Actor
  /** In words. */
  text: string
  /** What a developer calls it: a route, an operation, an event, a state. */
  call?: string
  tone?: 'good' | 'bad'
  /** A click on Buy begins a new story. */
  begins?: true
}

export interface TimedStep extends Step {
  id: number
  /** When it happened, in epoch milliseconds; steps of a page arrive a little later, and not always in order. */
  at: number
}

/** What the shop has made of one shopper's paid orders: its server keeps it, and its pages show it. */
export interface Fulfilled {
  /** Ids of orders. */
  delivered: string[]
  held: string[]
}
