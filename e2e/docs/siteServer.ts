/** Serves docs/site/dist as a plain web server does, with addresses without `.html`. */
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { listen } from '../fixtures/listen.ts'

const dist = join(import.meta.dirname, '..', '..', 'docs', 'site', 'dist')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** The addresses of all pages. */
export const sitePages = (): string[] =>
  globSync('**/*.html', { cwd: dist })
    .filter((file) => file !== '404.html')
    .map((file) => `/${file.replace(/(index)?\.html$/, '')}`)

export function startSite(): ReturnType<typeof listen> {
  const files = new Set(globSync('**/*.*', { cwd: dist }).map((file) => `/${file}`))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = decodeURIComponent(pathname)
    const file = [path, `${path}.html`, `${path}index.html`].find((name) => files.has(name))
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    response.end(readFileSync(join(dist, file)))
  })
  return listen(server, 'localhost')
}
