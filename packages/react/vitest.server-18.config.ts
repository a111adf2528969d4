import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { maxWorkers } from '../../scripts/tier.ts'
import { reactAlias } from './test/browserProject.ts'

export default defineConfig({
  resolve: { alias: reactAlias('react-18', 'react-dom-18') },
  test: {
    name: 'react-server-18',
    include: ['test/server/*.test.tsx'],
    maxWorkers,
    // What React itself imports goes past Vite.
    execArgv: ['--import', join(import.meta.dirname, 'test/server/react18.ts')],
  },
})
