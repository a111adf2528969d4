/** Bun's own server. */
import { createShop } from './shop.mjs'
import { openStore } from './store.mjs'

const companion = createShop(process.env, await openStore(process.env.STORE))
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) => companion.fetch(request, { address: server.requestIP(request)?.address }),
})
console.log(`at http://127.0.0.1:${server.port}`)
