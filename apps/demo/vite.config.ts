/** Builds the shop's pages. */
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { placeholders } from './placeholders.ts'

const page = (name: string): string => join(import.meta.dirname, `${name}.html`)

/** Puts a `.br` and a `.gz` copy beside each script, style and picture: compressed once, and not in each answer. */
function compress(): Plugin {
  return {
    name: 'compress',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/^assets\/.*\.(js|css|svg)$/.test(fileName)) continue
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source) })
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
    rolldownOptions: { input: ['index', 'plain', 'return', 'webview'].map(page) },
  },
})
