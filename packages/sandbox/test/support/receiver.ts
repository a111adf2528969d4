/** A merchant's webhook endpoint: keeps what arrives, answers what it is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  url: string
  /** Bodies in the order of their arrival. */
  received: unknown[]
  /** The status for the nth request, from 0: always 200, until a test says otherwise. */
  answer: (nth: number) => number
  /** Of each answer. */
  body: string
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    receiver.received.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(receiver.answer(receiver.received.length - 1)).end(receiver.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhook`,
    received: [],
    answer: () => 200,
    body: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
