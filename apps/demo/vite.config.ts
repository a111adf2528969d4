/** Builds the shop's page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { placeholders } from './server/pages.ts'

const page = join(import.meta.dirname, 'index.html')

/** Puts a `.br` and a `.gz` copy beside each script, style and picture: compressed once, and not in each answer. */
function compress(): Plugin {
  return {
    name: 'compress',
    // Not before everything is written: Vite changes scripts to the last.
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
    // The polyfill is a script of its own that the policy would have to allow for browsers that need none of it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: page },
  },
})
