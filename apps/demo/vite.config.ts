import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const page = (name: string): string => join(import.meta.dirname, `${name}.html`)

/**
 * Serves the loader's script-tag build as a merchant would from a CDN: a name that changes with the contents, and an
 * integrity attribute, so that not one byte of it can change on the way.
 */
function scriptTag(): Plugin {
  const loader = dirname(fileURLToPath(import.meta.resolve('@purchase-widget/loader/package.json')))
  let built: { source: Buffer; fileName: string; integrity: string }
  return {
    name: 'script-tag',
    buildStart() {
      const source = readFileSync(join(loader, 'dist', 'purchase-widget.js'))
      const digest = createHash('sha384').update(source).digest()
      built = {
        source,
        fileName: `assets/purchase-widget-${digest.toString('hex').slice(0, 8)}.js`,
        integrity: `sha384-${digest.toString('base64')}`,
      }
    },
    transformIndexHtml: (html) =>
      html.replace(
        'src="/purchase-widget.js"',
        () => `src="/${built.fileName}" integrity="${built.integrity}" crossorigin`,
      ),
    generateBundle() {
      const { fileName, source } = built
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), scriptTag()],
  // The server puts each response's own nonce in its place (server/pages.ts).
  html: { cspNonce: '__NONCE__' },
  build: {
    // The polyfill is a script of its own that the policy would have to allow for browsers that need none of it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['index', 'plain', 'return', 'webview'].map(page) },
  },
})
