import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { noncePlaceholder } from './nonce.ts'

const page = (name: string): string => join(import.meta.dirname, `${name}.html`)

/**
 * Serves the loader's script-tag build as a merchant's CDN would: under the name that changes with its contents, and with
 * the integrity that the build wrote down, so that not one byte can change on the way.
 */
function scriptTag(): Plugin {
  const dist = join(
    dirname(fileURLToPath(import.meta.resolve('@purchase-widget/loader/package.json'))),
    'dist',
  )
  let name: string
  let integrity: string
  return {
    name: 'script-tag',
    buildStart() {
      const integrities = Object.entries<string>(
        JSON.parse(readFileSync(join(dist, 'integrity.json'), 'utf8')),
      )
      const found = integrities.find(([file]) => /^purchase-widget\.[0-9a-f]+\.js$/.test(file))
      if (!found) throw new Error('packages/loader/dist has no script-tag build: build the loader first.')
      ;[name, integrity] = found
    },
    transformIndexHtml: (html) =>
      html.replace(
        'src="/purchase-widget.js"',
        () => `src="/assets/${name}" integrity="${integrity}" crossorigin`,
      ),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: `assets/${name}`, source: readFileSync(join(dist, name)) })
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), scriptTag()],
  html: { cspNonce: noncePlaceholder },
  build: {
    // The polyfill is a script of its own that the policy would have to allow for browsers that need none of it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['index', 'plain', 'return', 'webview'].map(page) },
  },
})
