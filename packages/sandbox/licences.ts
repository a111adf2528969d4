/** Collects the licences of the packages that the build bundles, which ask to be handed on with them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * One text, a paragraph or more for each package.
 *
 * @param files Paths of the modules that were bundled; those outside of node_modules are our own.
 * @throws Error naming a package without a licence file.
 */
export async function licencesOf(files: readonly string[]): Promise<string> {
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
