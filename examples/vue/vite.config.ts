import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

// The companion is one of the servers beside this folder, such as server-node. It answers pages of its own origin, which
// is this one: so the Host header stays.
const target = process.env.COMPANION ?? 'http://localhost:3000'
const proxy = { '/api/purchase-widget': { target, changeOrigin: false } }

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'purchase-widget' } } })],
  server: { proxy },
  preview: { proxy },
  build: { rolldownOptions: { input: ['index.html', 'return.html'] } },
})
