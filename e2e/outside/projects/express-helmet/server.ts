/** Express 5 with helmet's defaults, and what docs/go-live.md adds to them. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { toNodeHandler } from '@purchase-widget/server'
import express from 'express'
import { companion } from './companion.ts'
import { headers } from './headers.ts'

const app = express()
app.use(headers)
app.use('/api/purchase-widget', toNodeHandler(companion))
app.get('/', (_request, response) => response.sendFile(join(import.meta.dirname, 'index.html')))
for (const [path, file] of Object.entries({ '/thanks': 'thanks.html', '/result.js': 'result.js' }))
  app.get(path, (_request, response) => response.sendFile(join(import.meta.dirname, file)))

createServer(app).listen(process.env.PORT)
