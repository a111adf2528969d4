/** Requests as they stand on the wire: with any Host, Origin and fetch metadata, which `fetch` would set itself. */
import { type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

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

/** Sends these lines as the head of a request and resolves to the status of the answer. */
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
