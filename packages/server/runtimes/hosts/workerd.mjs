/** The worker, bundled as wrangler does, in workerd. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('worker.mjs', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*'],
})
const miniflare = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['nodejs_compat'],
  bindings: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PURCHASE_'))),
  host: '127.0.0.1',
  port: 0,
})
console.log(`at ${(await miniflare.ready).origin}`)
