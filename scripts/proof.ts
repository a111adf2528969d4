/**
 * Proofs: tests whose claim is a count. They run in full from `pnpm evidence`, and with smaller counts in `pnpm test`.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether proofs run in full. */
export const full = process.env.EVIDENCE === 'full'
const file = join(dirname(import.meta.dirname), '.cache', 'evidence.jsonl')

/** How often a proof repeats: `inFull` times for evidence, `inTest` times otherwise. */
export function proofRuns(inFull: number, inTest: number): number {
  return full ? inFull : inTest
}

/** Keeps what a proof measured, for the table that `pnpm evidence` prints. */
export function recordFigure(claim: string, figure: string | number): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, `${JSON.stringify({ claim, figure, full })}\n`)
}
