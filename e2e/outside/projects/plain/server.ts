/** A plain page, and the companion that serves its script. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { toNodeHandler } from '@purchase-widget/server'
import { companion } from './companion.ts'

const page = readFileSync('index.html')
const thanks = readFileSync('thanks.html')
const handle = toNodeHandler(companion)

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.startsWith('/api/purchase-widget/')) return void handle(request, response)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(pathname === '/thanks' ? thanks : page)
}).listen(process.env.PORT)
