/** Serves the OpenAPI document and the reference made from it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { controlOperations } from '../control/index.ts'
import type { AppEnv } from '../exchange.ts'
import { type OpenApiDocument, openApiDocument } from '../openapi.ts'
import { operations } from '../operations/index.ts'
import { pageCsp } from '../pages.ts'
import { docsPage } from './docsPage.ts'

/** Beside this file, and beside the built one (tsdown.config.ts copies it). */
const styleSheet = join(import.meta.dirname, 'docs.css')

const documentFor = (url: string): OpenApiDocument =>
  openApiDocument([...operations, ...controlOperations], new URL(url).origin)

export function docs(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/openapi.json', (c) => c.json(documentFor(c.req.url)))
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', pageCsp)
    return c.html(docsPage(documentFor(c.req.url)))
  })
  app.get('/docs.css', async (c) =>
    c.body(await readFile(styleSheet, 'utf8'), 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  return app
}
