/**
 * Compares the public surface of the built packages with what was agreed on: packages/<name>/api/<entry>.d.ts. A change of it needs a
 * changeset, and the new text.
 *
 *     node scripts/api.ts             fails when a surface has changed
 *     node scripts/api.ts --update    writes the new texts; refuses for a package that no changeset names
 *     node scripts/api.ts --root DIR  of another folder with `packages` and `.changeset`
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { entriesOf, isAnnounced, manifestOf, surfaceOf } from './surface.ts'

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, root: { type: 'string' } },
})
const root = values.root ?? dirname(import.meta.dirname)

for (const path of globSync('packages/*/package.json', { cwd: root }).sort()) {
  const folder = join(root, dirname(path))
  const changes = await changesIn(folder)
  if (changes.length === 0) continue
  const { name } = manifestOf(folder)
  if (!isAnnounced(root, name)) {
    console.error(
      `The public surface of ${name} has changed, and no changeset says so: npx -y pnpm@12.21.0 changeset`,
    )
    process.exitCode = 1
  } else if (!values.update) {
    console.error(
      `The public surface of ${name} is not the one in ${dirname(path)}/api: node scripts/api.ts --update`,
    )
    process.exitCode = 1
  }
  for (const { file, text, difference } of changes) {
    console.error(`${file}\n${difference}`)
    if (values.update && isAnnounced(root, name)) write(file, text)
  }
}

interface Change {
  file: string
  /** Null: the entry is gone. */
  text: string | null
  difference: string
}

async function changesIn(folder: string): Promise<Change[]> {
  const changes: Change[] = []
  const entries = entriesOf(folder)
  for (const [entry, types] of entries) {
    const file = join(folder, 'api', `${entry}.d.ts`)
    const agreed = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const text = await surfaceOf(folder, types)
    if (text !== agreed) changes.push({ file, text, difference: differenceOf(agreed, text) })
  }
  for (const old of globSync('api/**/*.d.ts', { cwd: folder })) {
    const isGone = !entries.has(old.replace(/^api\/|\.d\.ts$/g, ''))
    if (isGone) changes.push({ file: join(folder, old), text: null, difference: '- the whole entry' })
  }
  return changes
}

/** Lines that only one of the two has. */
function differenceOf(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  const most = 40
  const lines = [...gone, ...added]
  return [...lines.slice(0, most), ...(lines.length > most ? [`… ${lines.length - most} more`] : [])].join(
    '\n',
  )
}

function write(file: string, text: string | null): void {
  if (text === null) return void rmSync(file)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
