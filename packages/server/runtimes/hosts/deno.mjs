/** Deno's own server. */
import { createShop } from './shop.mjs'
import { openStore } from './store.mjs'

const companion = createShop(Deno.env.toObject(), await openStore(Deno.env.get('STORE')))
Deno.serve(
  { port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(`at http://127.0.0.1:${port}`) },
  (request, { remoteAddr }) => companion.fetch(request, { address: remoteAddr.hostname }),
)
