/** Builds the widget page. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The hosted widget page, served by the sandbox at `/widget/` on an origin of its own. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  build: {
    outDir: '../../dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    // The first ones with `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy allows neither inline scripts nor data addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
  },
})
