import { defineConfig } from 'vitest/config'
import { browserProject } from './test/browserProject.ts'

export default defineConfig(
  browserProject({
    name: 'react-19',
    react: 'react',
    reactDom: 'react-dom',
    include: ['test/browser/*.test.tsx'],
  }),
)
