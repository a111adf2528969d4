import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// The companion is one of the servers beside this folder, such as server-node. Its public address is here: say so with
// PURCHASE_COMPANION_URL, or keep the Host header, as this proxy does.
const target = process.env.COMPANION ?? 'http://localhost:3000'
const proxy = { '/api/purchase-widget': { target, changeOrigin: false } }

export default defineConfig({
  plugins: [svelte()],
  server: { proxy },
  preview: { proxy },
})
