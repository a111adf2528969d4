/**
 * Proofs: tests whose claim is a count. They run in full under `pnpm evidence`, and with smaller counts under `pnpm test`.
 */
import { appendFileSync } from 'node:fs'

/** Whether proofs run in full. */
export const full = process.env.EVIDENCE === 'full'
const file = process.env.EVIDENCE_FILE

/** How often a proof repeats: `inFull` times for evidence, `inTest` times otherwise. */
export function proofRuns(inFull: number, inTest: number): number {
  return full ? inFull : inTest
}

/** Records a proof's measurement for the table of `pnpm evidence`; otherwise does nothing. */
export function recordFigure(claim: string, figure: string | number): void {
  if (file) appendFileSync(file, `${JSON.stringify({ claim, figure })}\n`)
}
