/** Fastify 5. */
import { readFileSync } from 'node:fs'
import { toNodeHandler } from '@purchase-widget/server'
import fastify from 'fastify'
import { companion } from './companion.ts'

const handler = toNodeHandler(companion)
const app = fastify()

app.all('/api/purchase-widget/*', {
  onRequest(request, reply) {
    reply.hijack()
    void handler(request.raw, reply.raw)
  },
  handler: () => {},
})
for (const [path, file] of Object.entries({ '/': 'index.html', '/thanks': 'thanks.html' })) {
  const page = readFileSync(file, 'utf8')
  app.get(path, (_request, reply) =>
    reply.type('text/html').header('set-cookie', 'session=the-random-id-of-a-session; Path=/').send(page),
  )
}

await app.listen({ port: Number(process.env.PORT) })
