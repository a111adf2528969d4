/** Reads a body as text without holding more of it than is allowed. */

/** @returns null, with the rest given up, as soon as it is longer than `limit` bytes. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | null> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
