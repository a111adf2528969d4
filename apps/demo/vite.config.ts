import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const page = (name: string): string => join(import.meta.dirname, `${name}.html`)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server puts each response's own nonce in its place (server/pages.ts).
  html: { cspNonce: '__NONCE__' },
  build: {
    // The polyfill is a script of its own that the policy would have to allow for browsers that need none of it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: ['index', 'plain', 'return', 'webview'].map(page) },
  },
})
