/** A `fetch` that keeps what was sent and passes it on. */

export interface Sent {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

export function recordingFetch(): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: (input, init) => {
      sent.push({
        method: init?.method ?? 'GET',
        url: new URL(String(input)),
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      })
      return fetch(input, init)
    },
  }
}
