/** Reads a body without holding more of it than is allowed. */

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

/** @returns null, with the rest given up unless `preventCancel` is set, as soon as it is longer than `limit` bytes. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  { preventCancel = false }: { preventCancel?: boolean } = {},
): Promise<string | null> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of body.values({ preventCancel })) {
    size += chunk.byteLength
    if (size > limit) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
