/** Node: plain http. */
import { createServer } from 'node:http'
import { toNodeHandler } from '@purchase-widget/server'
import { createShop } from './shop.mjs'
import { openStore } from './store.mjs'

const companion = createShop(process.env, await openStore(process.env.STORE))
const server = createServer(toNodeHandler(companion))
server.listen(0, '127.0.0.1', () => console.log(`at http://127.0.0.1:${server.address().port}`))
