/** A merchant's webhook endpoint: keeps what arrives, answers what it is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  url: string
  /** Bodies in the order of their arrival. */
  received: unknown[]
  close(): Promise<void>
}

/**
 * @param answer The status for the nth request, from 0. Default: always 200.
 * @param headers Of each answer.
 * @param body Of each answer.
 */
export async function startReceiver(
  answer: (nth: number) => number = () => 200,
  headers: Record<string, string> = {},
  body = '',
): Promise<Receiver> {
  const received: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(answer(received.length - 1), headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
