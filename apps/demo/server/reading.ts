/** The repository's guides and sources, for whoever wants to read on: Markdown as pages, code as text, a folder as a list. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import markdown from 'markdown-it'

const root = join(import.meta.dirname, '..', '..', '..')

/** What can be read, and nothing else. */
const readable = [
  '{README,CONTRIBUTING}.md',
  'docs/**/*.md',
  'docs/images/**/*.{png,webp,svg}',
  '{packages,examples}/**/*.md',
  'packages/*/src/**/*.{ts,tsx}',
  'apps/demo/{server,web}/**/*.{ts,tsx}',
  'apps/demo/*.{ts,html}',
  'examples/*/{app,src}/**/*.{ts,tsx,vue,svelte}',
  'examples/*/*.{ts,html}',
]

const isBuilt = (path: string): boolean => /(^|\/)(node_modules|dist|\.cache)(\/|$)/.test(path)

const pictures: Record<string, string> = {
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}

export const guides = '/read/README.md'
export const sources = '/read/apps/demo/'

/** `GET /read/<path in the repository>`. */
export function createReading(): Hono {
  const app = new Hono()
  const paths = globSync(readable, { cwd: root, exclude: isBuilt }).sort()
  // It escapes HTML, which no guide has.
  const parser = markdown()
  // Long lines of code scroll, and a keyboard has to be able to scroll them.
  const toHtml = (text: string): string => parser.render(text).replaceAll('<pre>', '<pre tabindex="0">')

  app.get('/*', compress(), (c) => {
    const path = decodeURI(new URL(c.req.url).pathname).replace('/read/', '')
    c.header('Content-Security-Policy', policy)
    c.header('X-Content-Type-Options', 'nosniff')
    if (paths.includes(path)) {
      const bytes = readFileSync(join(root, path))
      const picture = pictures[extname(path)]
      if (picture) return c.body(bytes, 200, { 'Content-Type': picture })
      return path.endsWith('.md') ? c.html(page(path, toHtml(bytes.toString()))) : c.text(bytes.toString())
    }
    const folder = path.replace(/\/?$/, '/')
    const inside = paths.filter((one) => one.startsWith(folder))
    if (inside.length === 0) return c.text('There is nothing to read at this address.', 404)
    const list = inside.map((one) => `- [${one.slice(folder.length)}](/read/${one})`)
    return path === folder
      ? c.html(page(path, toHtml(`# ${path}\n\n${list.join('\n')}`)))
      : c.redirect(`/read/${folder}`)
  })
  return app
}

const style = `:root{color-scheme:light dark;--soft:light-dark(#52635a,#9fb2a7);--line:light-dark(#d6ddd2,#263a32)}
body{max-width:48rem;margin:0 auto;padding:2rem 1.2rem 5rem;background:light-dark(#f3f5ef,#0b1411);color:light-dark(#13231c,#edf2e9);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
a{color:inherit;text-decoration-color:#ffc233;text-decoration-thickness:.14em;text-underline-offset:.2em}
:focus-visible{outline:3px solid;outline-offset:3px}
h1,h2,h3{line-height:1.15;letter-spacing:-.02em}h2{margin-top:2.4em}
pre{padding:1rem 1.2rem;overflow:auto;border-radius:.8rem;background:#10231c;color:#dfe8dd}
code{font:.88em ui-monospace,monospace}img{max-width:100%;height:auto}
table{border-collapse:collapse}th,td{overflow-wrap:anywhere;padding:.5rem .8rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
nav{color:var(--soft)}`

const policy = [
  `default-src 'none'`,
  `img-src 'self' data:`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const page = (path: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${path} · Lantern, a demo shop</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav aria-label="Shop"><a href="/">The shop</a> · <a href="${guides}">Documentation</a> · <a href="${sources}">Source</a></nav>
<main>${body}</main>
</body>
</html>`
