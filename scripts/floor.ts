/**
 * Holds the files that browsers load against the oldest browsers that docs/browsers.md names: their syntax, and the names of what came later.
 *
 *     node scripts/floor.ts [file …]    default: the built loader and bindings
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { transformWithOxc } from 'vite'

const root = dirname(import.meta.dirname)

/** Chrome and Edge 99, Firefox 101, Safari 16.4. */
const target = ['chrome99', 'edge99', 'firefox101', 'safari16.4']

/** What one of them lacks. */
const later = {
  'URL.parse': /\bURL\.parse\b/,
  'URL.canParse': /\bURL\.canParse\b/,
  'Promise.withResolvers': /\bPromise\.withResolvers\b/,
  'Promise.try': /\bPromise\.try\b/,
  'Object.groupBy, Map.groupBy': /\b(?:Object|Map)\.groupBy\b/,
  'AbortSignal.any': /\bAbortSignal\.any\b/,
  'AbortSignal.timeout': /\bAbortSignal\.timeout\b/,
  'Array.fromAsync': /\bArray\.fromAsync\b/,
  'findLast, findLastIndex': /\.findLast(?:Index)?\(/,
  'toSorted, toReversed, toSpliced': /\.to(?:Sorted|Reversed|Spliced)\(/,
  'isWellFormed, toWellFormed': /\.(?:is|to)WellFormed\(/,
  'iterator helpers':
    /\bIterator\.from\b|\.(?:values|keys|entries)\(\)\.(?:map|filter|take|drop|toArray|some|every|find)\(/,
  'set methods': /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  'bytes as text': /\.(?:toBase64|toHex|fromBase64|fromHex)\(/,
  'RegExp.escape': /\bRegExp\.escape\b/,
  structuredClone: /\bstructuredClone\(/,
  popover: /\b(?:showPopover|togglePopover|popoverTargetElement)\b/,
  CloseWatcher: /\bCloseWatcher\b/,
  'dialog.requestClose, closedBy': /\.requestClose\(|\bclosedBy\b/,
  'view transitions': /\bstartViewTransition\b/,
  'navigation API': /\bnavigation\.(?:navigate|addEventListener)\b/,
  scheduler: /\bscheduler\.(?:yield|postTask)\b/,
  checkVisibility: /\.checkVisibility\(/,
  moveBefore: /\.moveBefore\(/,
  setHTMLUnsafe: /\.setHTMLUnsafe\(/,
} as const satisfies Record<string, RegExp>

const given = process.argv.slice(2).map((file) => resolve(file))
const built = globSync('packages/{loader,react}/dist/**/*.js', { cwd: root }).map((file) => join(root, file))
const files = given.length > 0 ? given : built.sort()
if (files.length === 0) throw new Error('Nothing is built: node scripts/build.ts')

for (const file of files) {
  const code = readFileSync(file, 'utf8')
  const complaints = [...(await newerSyntax(code)), ...newerNames(code)]
  for (const complaint of complaints) console.error(`${relative(root, file)}: ${complaint}`)
  if (complaints.length > 0) process.exitCode = 1
}

/** What a compiler for these browsers would change is syntax that one of them cannot read. */
async function newerSyntax(code: string): Promise<string[]> {
  const compiled = (to: string | string[]): Promise<{ code: string }> =>
    transformWithOxc(code, 'file.js', { target: to, sourcemap: false })
  const [newest, floor] = await Promise.all([compiled('esnext'), compiled(target)])
  if (newest.code === floor.code) return []
  const lines = floor.code.split('\n')
  const line = newest.code.split('\n').find((text) => !lines.includes(text)) ?? ''
  return [`syntax that is newer than ${target.join(', ')}: ${line.trim().slice(0, 120)}`]
}

function newerNames(code: string): string[] {
  return Object.entries(later)
    .filter(([, form]) => form.test(code))
    .map(([name]) => `${name} is newer than ${target.join(', ')}`)
}
