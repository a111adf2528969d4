/**
 * Says what each source file costs in the script-tag file: how much smaller that is, minified and compressed with brotli, when
 * everything that the file exports is replaced by an empty function.
 *
 *     node packages/loader/costs.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const src = join(import.meta.dirname, 'src')
const entry = join(src, 'entries/scriptTag.ts')

/** Minified and compressed size, in bytes, with `stubbed` emptied. */
async function sizeWithout(stubbed?: string): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'loader' },
    },
    plugins: [
      {
        name: 'stub',
        load: (id) => (id === stubbed ? emptied(readFileSync(id, 'utf8')) : null),
      },
    ],
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build gave no bundle.')
  return brotliCompressSync(bundle.output[0].code).length
}

const emptied = (source: string): string =>
  [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)|^export \{[^}]*\} from .*/gm)]
    .map(([whole, name]) => (name ? `export const ${name} = () => {}` : whole))
    .join('\n')

const whole = await sizeWithout()
const rows = []
for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)) {
  const cost = whole - (await sizeWithout(join(src, file)))
  if (cost > 0 && join(src, file) !== entry) rows.push({ file, bytes: cost })
}
console.table(rows.sort((one, other) => other.bytes - one.bytes))
console.log(`whole: ${whole} bytes`)
