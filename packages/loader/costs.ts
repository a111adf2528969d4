/**
 * Says what the loader's bytes are for, minified and compressed with brotli: how much smaller the script tag's second file is when everything
 * that a source file exports is replaced by an empty function; and what else was tried to make both stages in one file smaller.
 *
 *     node packages/loader/costs.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type BuildEnvironmentOptions, build, type Plugin } from 'vite'

const src = join(import.meta.dirname, 'src')
const tag = 'entries/scriptTagRest.ts'
const widget = 'entries/sync.ts'

/** Minified and compressed size of an entry, in bytes. */
async function sizeOf(entry: string, plugins: Plugin[] = [], how: BuildEnvironmentOptions = {}) {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: join(src, entry), formats: ['iife'], name: 'loader' },
      ...how,
    },
    plugins,
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build gave no bundle.')
  return brotliCompressSync(bundle.output[0].code).length
}

/** Replaces the text of source files. */
const replacing = (files: readonly string[], replace: (source: string) => string): Plugin => ({
  name: 'replace',
  load: (id) => (files.some((file) => id === join(src, file)) ? replace(readFileSync(id, 'utf8')) : null),
})

const emptied = (source: string): string =>
  [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)|^export \{[^}]*\} from .*/gm)]
    .map(([whole, name]) => (name ? `export const ${name} = () => {}` : whole))
    .join('\n')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

async function costsOfFiles(): Promise<void> {
  const whole = await sizeOf(tag)
  const rows: Record<string, { bytes: number }> = {}
  for (const file of files.filter((each) => each !== tag)) {
    const bytes = whole - (await sizeOf(tag, [replacing([file], emptied)]))
    if (bytes > 0) rows[file] = { bytes }
  }
  console.log('what the second file of the script tag would save without a source file')
  console.table(
    Object.fromEntries(Object.entries(rows).sort(([, one], [, other]) => other.bytes - one.bytes)),
  )
  console.log(`whole: ${whole} bytes`)
}

/** Names of properties that never leave the loader. No compiler checks such a list. */
const internal =
  /^(advance|allowedOrigins|ask|blocked|done|emit|ended|enter|failed|framed|leaves|navigation|onclose|onlost|onmove|phase|removeSurface|report|returnOrigins|setNotice|setReturned|setTarget|shown|surface|take|target|until|view)$/

const withoutText = (source: string): string => source.replace(/: '[^'\n]*',/g, ": '',")
/** A sentence for the developer: the last argument of a call that makes or throws an error. */
const withoutSentences = (source: string): string =>
  source.replace(/((?:invalid|widgetError)\([^'`\n]*(?:'\w+', )?)['`][^'`\n]* [^'`\n]*['`]/g, "$1''")

const terser = { minify: 'terser', terserOptions: { compress: { passes: 3, pure_getters: true } } } as const

const tries: Record<string, () => Promise<number>> = {
  'as it is': () => sizeOf(widget),
  'newest syntax, where that is shorter (target esnext)': () => sizeOf(widget, [], { target: 'esnext' }),
  'terser, three passes, pure getters': () => sizeOf(widget, [], terser),
  'the same, with names of properties shortened by a list': () =>
    sizeOf(widget, [], {
      ...terser,
      terserOptions: { ...terser.terserOptions, mangle: { properties: { regex: internal } } },
    }),
  'without the sentences for developers': () => sizeOf(widget, [replacing(files, withoutSentences)]),
  'without the English texts': () => sizeOf(widget, [replacing(['english.ts'], withoutText)]),
  'without the style sheet': () =>
    sizeOf(widget, [replacing(['surfaces/shell.ts'], (source) => source.replace(/^ {2}'.*' \+$/gm, ''))]),
}

await costsOfFiles()
console.log('what else was tried, on both stages in one file')
const tried: Record<string, { bytes: number }> = {}
for (const [name, measure] of Object.entries(tries)) tried[name] = { bytes: await measure() }
console.table(tried)
