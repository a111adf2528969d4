/**
 * Type-checks every TypeScript and TSX snippet in README.md and docs/*.md against the current packages.
 *
 * Each snippet is a separate module. Names that the reader supplies are declared in a comment right above the fence:
 *
 *     <!-- snippet: declare const shopperOf: (request: Request) => Promise<string | null> -->
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './run.ts'

// Inside the demo, because a snippet imports what a merchant would install: the packages, React and Hono.
const folder = join(root, 'apps', 'demo', '.cache', 'snippets')

interface Snippet {
  /** Its location: `docs/options.md:12`. */
  place: string
  extension: 'ts' | 'tsx'
  code: string
}

const FENCE =
  /(?:<!-- snippet:\s(?<declarations>[\s\S]*?)-->\s*\n)?^(?<indent>[ \t]*)```(?<extension>tsx?)(?: \[[^\]]+\])?\n(?<code>[\s\S]*?)^[ \t]*```$/gm

function snippetsOf(file: string): Snippet[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(FENCE)].map(({ index, groups }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    extension: groups?.extension === 'tsx' ? 'tsx' : 'ts',
    code: `${groups?.declarations ?? ''}\n${groups?.code}\nexport {}\n`,
  }))
}

function write(snippets: Snippet[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { place, extension, code } of snippets)
    writeFileSync(join(folder, fileOf(place, extension)), code)
  writeFileSync(join(folder, 'languages.d.ts'), languages)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config, null, 2))
}

const fileOf = (place: string, extension: string): string =>
  `${place.replaceAll(/[^\w]+/g, '-')}.${extension}`

/** The loader's build writes a module for each language; the check must not need a build. */
const languages = `declare module '@purchase-widget/loader/locales/*' {
  export const strings: import('@purchase-widget/loader').WidgetStrings
}`

/** Imports of the server guides that the demo does not have. */
const ofServer = (name: string): string[] => [
  relative(folder, join(root, 'packages', 'server', 'node_modules', '@types', name)),
]

/** Imports of pages that only their readers need. */
const ofPages = (name: string): string[] => [relative(folder, join(root, 'e2e', 'node_modules', name))]

const config = {
  extends: relative(folder, join(root, 'tsconfig.base.json')),
  compilerOptions: {
    composite: false,
    noEmit: true,
    declaration: false,
    emitDeclarationOnly: false,
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    jsx: 'react-jsx',
    paths: {
      express: ofServer('express'),
      passport: ofServer('passport'),
      pg: ofServer('pg'),
      helmet: ofPages('helmet'),
    },
    // A snippet shows a few lines of a longer file.
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['.'],
}

const snippets = ['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap(snippetsOf)
write(snippets)
const { status, stdout } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
rmSync(folder, { recursive: true, force: true })

const placeOf = new Map(snippets.map(({ place, extension }) => [fileOf(place, extension), place]))
const report = stdout.replaceAll(/^.*?([\w-]+\.tsx?)\(/gm, (line, file) => `${placeOf.get(file) ?? line} (`)
if (status !== 0) console.error(report || 'tsc could not be run.')
console.log(`${snippets.length} snippets, ${status === 0 ? 'all compile' : 'some do not compile'}`)
process.exitCode = status ?? 1
