import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reactAlias } from './test/browserProject.ts'

export default defineConfig({
  resolve: { alias: reactAlias('react-18', 'react-dom-18') },
  test: {
    name: 'react-server-18',
    include: ['test/server/*.test.tsx'],
    // What React itself imports goes past Vite.
    execArgv: ['--import', join(import.meta.dirname, 'test/server/react18.ts')],
  },
})
