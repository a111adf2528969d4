/** Builds the shop's page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { placeholders } from './server/pages.ts'

const page = join(import.meta.dirname, 'index.html')

/** Writes a `.br` and a `.gz` copy next to each script, style and picture, so that the server need not compress each response. */
function compress(): Plugin {
  return {
    name: 'compress',
    // Runs after everything is written, because Vite modifies scripts until then.
    writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/^assets\/.*\.(js|css|svg)$/.test(fileName)) continue
        const source = readFileSync(join(dir, fileName))
        writeFileSync(join(dir, `${fileName}.br`), brotliCompressSync(source))
        writeFileSync(join(dir, `${fileName}.gz`), gzipSync(source))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compress()],
  html: { cspNonce: placeholders.nonce },
  build: {
    // The policy would have to allow the polyfill as a separate script, and no supported browser needs it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: page },
  },
})
