/** Serves the OpenAPI document and the reference made from it. */
import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { controlOperations } from '../control/index.ts'
import { docsPage } from '../service/docs/docsPage.ts'
import { type OpenApiDocument, openApiDocument } from '../service/openapi.ts'
import { operations } from '../service/operations/index.ts'
import type { AppEnv } from './middleware.ts'
import { pageCsp, referenceStyles } from './pages.ts'

const documentFor = (url: string): OpenApiDocument =>
  openApiDocument([...operations, ...controlOperations], new URL(url).origin)

export function referencePage(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/openapi.json', (c) => c.json(documentFor(c.req.url)))
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', pageCsp)
    return c.html(docsPage(documentFor(c.req.url)))
  })
  app.get('/docs.css', async (c) =>
    c.body(await readFile(referenceStyles, 'utf8'), 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  return app
}
