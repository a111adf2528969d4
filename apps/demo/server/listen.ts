/** Finds a port for the shop, and lets go of it. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How many ports after the preferred one are tried before any free one is taken. */
const NEIGHBOURS = 20

export interface Listening {
  server: Server
  port: number
}

/**
 * Opens a server on the preferred port, else on the next free one. It has no request listener yet: what is served often
 * needs to know its own address first.
 */
export async function listen(preferredPort: number): Promise<Listening> {
  const candidates =
    preferredPort === 0 ? [0] : [...Array.from({ length: NEIGHBOURS }, (_, i) => preferredPort + i), 0]
  for (const port of candidates) {
    const server = await tryPort(port)
    if (server) return { server, port: (server.address() as AddressInfo).port }
  }
  throw new Error('No port is free on this machine.')
}

function tryPort(port: number): Promise<Server | null> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    })
    server.listen(port, 'localhost', () => {
      server.removeAllListeners('error')
      resolve(server)
    })
  })
}

/** Stops listening and ends what is still connected: browsers keep connections open for minutes. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
