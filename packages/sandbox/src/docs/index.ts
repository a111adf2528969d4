/** Serves the OpenAPI document and the reference made from it. */
import { Hono } from 'hono'
import { controlOperations } from '../control/index.ts'
import type { AppEnv } from '../exchange.ts'
import { type OpenApiDocument, openApiDocument } from '../openapi.ts'
import { operations } from '../operations/index.ts'
import { pageCsp } from '../pages.ts'
import { docsCss } from './docsCss.ts'
import { docsPage } from './docsPage.ts'

const documentFor = (url: string): OpenApiDocument =>
  openApiDocument([...operations, ...controlOperations], new URL(url).origin)

export function docs(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/openapi.json', (c) => c.json(documentFor(c.req.url)))
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', pageCsp)
    return c.html(docsPage(documentFor(c.req.url)))
  })
  app.get('/docs.css', (c) => c.body(docsCss, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  return app
}
