import { join } from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Only for this repository, where packages resolve to their sources, and one check covers all types.
  transpilePackages: ['@purchase-widget/loader', '@purchase-widget/react', '@purchase-widget/server'],
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: join(import.meta.dirname, '../..') },
}

export default config
