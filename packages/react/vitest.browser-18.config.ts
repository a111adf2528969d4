import { defineConfig } from 'vitest/config'
import { browserProject } from './test/browserProject.ts'

export default defineConfig(
  browserProject({
    name: 'react-18',
    react: 'react-18',
    reactDom: 'react-dom-18',
    include: ['test/browser/*.test.tsx'],
  }),
)
