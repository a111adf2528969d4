import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

// The companion is one of the servers beside this folder, such as server-node. Its public address is here: say so with
// PURCHASE_COMPANION_URL, or keep the Host header, as this proxy does.
const target = process.env.COMPANION ?? 'http://localhost:3000'
const proxy = { '/api/purchase-widget': { target, changeOrigin: false } }

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'purchase-widget' } } })],
  server: { proxy },
  preview: { proxy },
})
