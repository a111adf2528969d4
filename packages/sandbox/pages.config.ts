/**
 * Builds the pages that the sandbox serves: the hosted widget at `/widget/`, on an origin of its own, and the console at
 * `/_sandbox/`.
 */
import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // The first ones with `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The pages' policy allows neither inline scripts nor data addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
  },
})
