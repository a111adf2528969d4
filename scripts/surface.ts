/** The public surface of a package: what each entry declares, as text that changes only when the types do. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsdown'

interface Manifest {
  name: string
  publishConfig: { exports: Record<string, string | { types?: string }> }
}

/** Each entry's declarations: its name, `index` for the package itself, and the file that was built. */
export function entriesOf(folder: string): Map<string, string> {
  const { publishConfig } = manifestOf(folder)
  const entries = new Map<string, string>()
  for (const target of Object.values(publishConfig.exports)) {
    // Entries by pattern are data of one type, which the index declares.
    if (typeof target === 'string' || !target.types || target.types.includes('*')) continue
    entries.set(target.types.replace(/^\.\/dist\/|\.d\.ts$/g, ''), target.types)
  }
  return entries
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Everything that an entry declares, from whichever of the built files, in one text. */
export async function surfaceOf(folder: string, file: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'purchase-widget-api-'))
  try {
    await build({
      config: false,
      cwd: folder,
      entry: { entry: file },
      dts: { emitDtsOnly: true, dtsInput: true, generator: 'oxc' },
      outDir,
      clean: false,
      logLevel: 'error',
      deps: { neverBundle: [/^[^./]/] },
    })
    return normalise(readFileSync(join(outDir, 'entry.d.ts'), 'utf8'))
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

/** Texts are kept, comments are not. */
const textOrComment = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const statement = /^(?=(?:declare|export|import|interface|type|abstract|class|enum)\b)/m

/** Without comments and empty lines, its statements in the order of the alphabet: where something is declared does not matter. */
export function normalise(declarations: string): string {
  const bare = declarations.replace(textOrComment, (found) => (found.startsWith('/') ? '' : found))
  const lines = bare.split('\n').filter((line) => line.trim() !== '')
  const statements = lines.join('\n').split(statement)
  return `${statements
    .map((text) => listed(text.trimEnd()))
    .sort()
    .join('\n')}\n`
}

/** A list of exports has a line for each name. */
const listed = (text: string): string =>
  text.startsWith('export {')
    ? text
        .replace(/^export \{ /, 'export {\n  ')
        .replace(/, /g, ',\n  ')
        .replace(/ \};$/, ',\n};')
    : text

/** Whether a file in `.changeset` says that this package changes. */
export function isAnnounced(root: string, name: string): boolean {
  const folder = join(root, '.changeset')
  if (!existsSync(folder)) return false
  return globSync('*.md', { cwd: folder }).some((file) => {
    const [, head = ''] = readFileSync(join(folder, file), 'utf8').split(/^---$/m)
    return head.split('\n').some((line) => /^['"]?([^'":]+)['"]?\s*:/.exec(line.trim())?.[1] === name)
  })
}
