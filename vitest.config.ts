import { defineConfig } from 'vitest/config'
import { reactProjects } from './packages/react/test/projects.ts'
import { maxWorkers } from './scripts/tier.ts'

export default defineConfig({
  test: {
    projects: [
      'packages/*/vitest*.config.ts',
      ...reactProjects,
      'apps/*/vitest*.config.ts',
      { test: { name: 'scripts', include: ['scripts/test/*.test.ts'], maxWorkers } },
    ],
  },
})
