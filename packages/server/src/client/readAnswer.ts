/** Reads an answer of the service, whatever its length. */
import { readAtMost } from '../readAtMost.ts'

/** Bytes that are read of an answer that refuses. */
export const LONGEST_REFUSAL = 65_536

/** Null for an answer that has more bytes than `longest`: it is given up as soon as that is known. */
export async function readAnswer(response: Response, longest: number): Promise<string | null> {
  if (Number(response.headers.get('content-length') ?? 0) <= longest) {
    return readAtMost(response.body, longest)
  }
  response.body?.cancel().catch(() => {})
  return null
}
