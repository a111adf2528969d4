/** What the build has made: scripts, styles, pictures and fonts, compressed by the build where that helps. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Hono } from 'hono'

export const dist: string = join(import.meta.dirname, '..', 'dist')

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Endings that the build gives to compressed copies, the smallest first. */
const encodings = { '.br': 'br', '.gz': 'gzip' } as const

export function createAssets(): Hono {
  const app = new Hono()
  const files = new Map(
    readdirSync(join(dist, 'assets')).map((name) => [name, readFileSync(join(dist, 'assets', name))]),
  )

  for (const [name, whole] of files) {
    const type = mediaTypes[extname(name)]
    if (!type) {
      if (extname(name) in encodings) continue
      throw new Error(`server/assets.ts does not know the media type of ${name}.`)
    }
    app.get(`/${name}`, (c) => {
      c.header('Content-Type', type)
      c.header('Cache-Control', 'public, max-age=31536000, immutable')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
      const accepted = (c.req.header('accept-encoding') ?? '')
        .split(',')
        .map((name) => name.trim().split(';')[0])
      for (const [ending, encoding] of Object.entries(encodings)) {
        const compressed = files.get(name + ending)
        if (!compressed || !accepted.includes(encoding)) continue
        c.header('Content-Encoding', encoding)
        return c.body(compressed)
      }
      return c.body(whole)
    })
  }
  return app
}
