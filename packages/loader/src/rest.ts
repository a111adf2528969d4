/** The second stage: everything that shows or reports a purchase. `stage.ts` loads it before the first click, or in it. */
export { getPendingResult } from './outcome/pending.ts'
export { createSession } from './session.ts'
