/**
 * Gives the script-tag files their immutable names, and writes their hashes for Subresource Integrity to dist/integrity.json: file name → integrity attribute.
 * The same sources always give the same bytes, so the same names.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, 'dist')
/** `purchase-widget.js`, `purchase-widget.de.js`; with the hash in it, `purchase-widget.de.0123456789ab.js`. */
const files = globSync('purchase-widget*.js', { cwd: dist }).sort()
const isImmutable = (file: string): boolean => /\.[\da-f]{12}\.js$/.test(file)
for (const stale of files.filter(isImmutable)) rmSync(join(dist, stale))

const manifest: Record<string, string> = {}

/** Writes the copy with the immutable name, and notes the hash of both. */
function publish(file: string): { immutable: string; integrity: string } {
  const name = file.slice(0, -'.js'.length)
  const bytes = readFileSync(join(dist, file))
  const immutable = `${name}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.js`
  writeFileSync(join(dist, immutable), bytes)
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`
  Object.assign(manifest, { [file]: integrity, [immutable]: integrity })
  return { immutable, integrity }
}

/** The script tag's first file names its second, and the hash that it has to have: src/entries/scriptTag.ts. */
function nameSecondFile(first: string, second: string): void {
  const path = join(dist, first)
  const { immutable, integrity } = publish(second)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('__rest__', immutable).replace('__integrity__', integrity))
}

nameSecondFile('purchase-widget.js', 'purchase-widget.rest.js')
nameSecondFile('purchase-widget.dev.js', 'purchase-widget.rest-dev.js')
for (const file of files.filter((each) => !isImmutable(each))) publish(file)
writeFileSync(join(dist, 'integrity.json'), `${JSON.stringify(manifest, null, 2)}\n`)
