/** Serves the built app, and the companion beside it. */
import { join } from 'node:path'
import { toNodeHandler } from '@purchase-widget/server'
import express from 'express'
import { companion } from './companion.ts'

const app = express()
app.use('/api/purchase-widget', toNodeHandler(companion))
app.use(
  express.static(join(import.meta.dirname, 'dist'), {
    setHeaders: (response) =>
      void response.setHeader('set-cookie', 'session=the-random-id-of-a-session; Path=/'),
  }),
)
app.listen(process.env.PORT)
