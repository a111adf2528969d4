/** What others wrote never acts on the terminal: a title, a clipboard or a link can be set with control characters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './support/cli.ts'
import { type Listening, listen } from './support/http.ts'

/** Sets a title, writes to the clipboard, makes a link; starts a sequence in one character; reorders; ends the line. */
const hostile =
  'gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\r\n\u{e0041}end'
const shown = String.raw`gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\u000d\u000a\udb40\udc41end`
const raw = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

const order = { id: 'order-1', type: 'order_complete', product_id: hostile, custom_id: hostile }

let service: Listening
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'purchase-widget-cli-'))
  service = await listen(({ url = '' }, response) => {
    const answer = (body: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.includes('/fetch_user_details')) return answer({ error: true, message: hostile }, 400)
    answer(order)
  })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command until it ends. Both outputs together. */
async function run(args: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(args, {
    PURCHASE_WIDGET_URL: service.url,
    PURCHASE_WIDGET_API_URL: service.url,
    PURCHASE_BASE_URL: service.url,
    PURCHASE_API_KEY: 'key',
    PURCHASE_SECRET_KEY: 'secret',
    NO_COLOR: '1',
  })
  return stdout + stderr
}

const lines = (text: string): string => text.replaceAll('\n', '')

test.each([
  [['order', '--order-id', 'order-1'], shown],
  // JSON has names of its own for the end of a line.
  [['order', '--order-id', 'order-1', '--json'], shown.replace(String.raw`\u000d\u000a`, String.raw`\r\n`)],
  // No word of the service is in an error.
  [['user', '--user-id', 'u1'], 'users.retrieve: the service answered 400.'],
])('%j prints what others wrote without a character that acts on the terminal', async (args, expected) => {
  const said = await run(args)
  expect(said).toContain(expected)
  expect(lines(said)).not.toMatch(raw)
})

test('dead-letters list prints keys and reasons without a character that acts on the terminal', async () => {
  const module = join(folder, 'companion.mjs')
  const letter = { key: `order:${hostile}`, reason: hostile, attempts: 12, diedAt: 0 }
  writeFileSync(
    module,
    `export const companion = { deadLetters: { list: async () => [${JSON.stringify(letter)}] }, close: async () => {} }`,
  )
  const said = await run(['dead-letters', 'list', '--module', module])
  expect(said).toContain(`order:${shown}`)
  expect(lines(said)).not.toMatch(raw)
})
