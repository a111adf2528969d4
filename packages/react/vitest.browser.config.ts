import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { service } from './test/service.ts'

export default defineConfig({
  plugins: [service()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    name: 'react-19',
    include: ['test/browser/*.test.tsx'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: chromiumLaunch() ?? {} }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
