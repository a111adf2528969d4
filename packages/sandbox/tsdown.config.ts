import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'tsdown'
import { licencesOf } from './licences.ts'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    cli: 'src/cli.ts',
    testing: 'src/testing/index.ts',
    vitest: 'src/testing/vitest.ts',
    playwright: 'src/testing/playwright.ts',
  },
  dts: true,
  platform: 'node',
  target: 'node22',
  fixedExtension: false,
  // Dependencies are bundled, without what is not used of them: the command starts in half the time that their files take to load.
  deps: {
    onlyBundle: ['@hono/node-server', 'big.js', 'hono', 'iso-3166', 'libphonenumber-js', 'ulid', 'zod'],
    dts: { neverBundle: true },
  },
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  plugins: [
    {
      name: 'licences of what is bundled',
      async writeBundle({ dir = 'dist' }, bundle) {
        const files = Object.values(bundle).flatMap((output) =>
          output.type === 'chunk' ? output.moduleIds : [],
        )
        await writeFile(join(dir, 'licences.txt'), await licencesOf(files))
      },
    },
  ],
})
