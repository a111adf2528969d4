// Promise: cli/printable
/** What others wrote never acts on the terminal: a title, a clipboard or a link can be set with control characters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './support/cli.ts'

/** Sets a title, writes to the clipboard, makes a link; starts a sequence in one character; reorders; ends the line. */
const hostile =
  'gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\r\n\u{e0041}end'
const shown = String.raw`gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\u000d\u000a\udb40\udc41end`
const raw = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command until it ends. Both outputs together. */
async function run(args: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(args, {
    NO_COLOR: '1',
  })
  return stdout + stderr
}

test('dead-letters list prints keys and reasons without a character that acts on the terminal', async () => {
  const module = join(folder, 'companion.mjs')
  const letter = { key: `order:${hostile}`, reason: hostile, attempts: 12, diedAt: 0 }
  writeFileSync(
    module,
    `export const companion = { deadLetters: { list: async () => [${JSON.stringify(letter)}] }, close: async () => {} }`,
  )
  const args = ['dead-letters', 'list', '--module', module]
  // JSON has names of its own for the end of a line.
  const inJson = shown.replace(String.raw`\u000d\u000a`, String.raw`\r\n`)
  for (const [said, expected] of [
    [await run(args), shown],
    [await run([...args, '--json']), inJson],
  ] as const) {
    expect(said).toContain(`order:${expected}`)
    expect(said.replaceAll('\n', '')).not.toMatch(raw)
  }
})
