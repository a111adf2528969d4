/** Raw requests with any Host, Origin and fetch metadata, which `fetch` would set itself, and a merchant's webhook endpoint. */
import { createServer, type OutgoingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Sends one request to the server of `url`; `path` goes into the request line unchanged. */
export function rawRequest(
  url: string,
  options: { method: string; path: string; headers: OutgoingHttpHeaders; body?: string | undefined },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const { body, ...rest } = options
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, ...rest }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends these lines as the head of a request, and resolves to the response status. */
export function statusOf(url: string, lines: string[]): Promise<number> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.once('error', reject)
    socket.once('data', (data) => {
      resolve(Number(data.toString().split(' ')[1]))
      socket.destroy()
    })
  })
}

/** Records what it receives, and responds as configured. */
export interface Receiver {
  url: string
  /** Bodies in the order of their arrival. */
  received: unknown[]
  /** The status for the nth request, counted from 0. Default: always 200. */
  answer: (nth: number) => number
  /** The body of each response. */
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
