/** What can be made to go wrong in the sandbox, in a visitor's words. */

export interface Trouble {
  id: string
  name: string
  /** What the shop should make of it. */
  expect: string
  on: boolean
}
