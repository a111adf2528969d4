/**
 * Says what the React bindings cost a page that has the loader anyway: both in one bundle, less the loader alone. Minified,
 * compressed with brotli, React itself not counted.
 *
 *     node packages/react/size.ts
 */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const packages = join(import.meta.dirname, '..')
const loader = `export * from '${packages}/loader/src/index.ts'`
const bindings = `export * from '${packages}/react/src/index.ts'`

async function sizeOf(...sources: string[]): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: 'everything', formats: ['es'] },
      // For a library Vite keeps the white space.
      rolldownOptions: { external: /^react/, output: { minify: true } },
    },
    plugins: [
      {
        name: 'everything',
        resolveId: (id) => (id.endsWith('everything') ? '\0everything' : null),
        load: (id) => (id === '\0everything' ? sources.join('\n') : null),
      },
    ],
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('The build gave no bundle.')
  return brotliCompressSync(bundle.output[0].code).length
}

const [alone, together] = [await sizeOf(loader), await sizeOf(loader, bindings)]
console.log(`loader ${alone} bytes, with the React bindings ${together}: ${together - alone} bytes for React`)
