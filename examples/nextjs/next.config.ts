import { join } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Only in this repository: its packages are their sources, and its types are checked all together.
  transpilePackages: ['@purchase-widget/loader', '@purchase-widget/react', '@purchase-widget/server'],
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: join(import.meta.dirname, '../..') },
}

export default config
