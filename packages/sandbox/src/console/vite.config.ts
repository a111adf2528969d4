/** Builds the console page. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The console page, served by the sandbox's API at `/_sandbox/`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_sandbox/',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's policy allows neither inline scripts nor data addresses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licences.md' },
  },
})
