import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'tsdown'

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

/**
 * The licences of what is bundled, which ask to be handed on with it: one text, a paragraph or more for each package.
 *
 * @param files Paths of the modules that were bundled; those outside of node_modules are our own.
 * @throws Error naming a package without a licence file.
 */
async function licencesOf(files: readonly string[]): Promise<string> {
  const folders = new Set(
    files.flatMap((file) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  )
  const texts = await Promise.all([...folders].map(licenceOf))
  return texts.sort().join('\n\n')
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version }: Record<string, string> = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const licence = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file))
  if (!licence) throw new Error(`${name} is bundled and has no licence file.`)
  return `${name} ${version}\n\n${(await readFile(join(folder, licence), 'utf8')).trim()}\n`
}
