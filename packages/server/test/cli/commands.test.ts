// Promise: cli/commands
/** The command line, run as a user would. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Command, Report } from '../../src/cli/command.ts'
import { deadLetters } from '../../src/cli/deadLetters.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { keyOf, webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import type { Checkup, DeadLetter, PurchaseClientOptions } from '../../src/index.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { type Ended, runCli } from '../support/cli.ts'
import { listen } from '../support/http.ts'
import { serviceVariables } from '../support/serving.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

type Flags = Parameters<Command>[0]['flags']

const service = await serviceOfThisFile()

const run = (args: string[], changes: Record<string, string> = {}): Promise<Ended> =>
  runCli(args, { ...serviceVariables(service), ...changes })

/** The output of `doctor`, without a process for it. */
async function doctorSays(
  companionUrl: string,
  options: Partial<PurchaseClientOptions> = {},
  flags: Flags = { 'no-token': true },
): Promise<Report> {
  vi.stubEnv('PURCHASE_COMPANION_URL', companionUrl)
  const client = service.client({ maxRetries: 0, timeoutMs: 5_000, ...options })
  try {
    return await doctor({ client: () => client, flags, words: [] })
  } finally {
    vi.unstubAllEnvs()
  }
}

describe('purchase-widget', () => {
  // Promise: cli/old-node
  test('an old Node is reported in one sentence, before anything else is loaded', () => {
    const launcher = fileURLToPath(new URL('../../bin/purchase-widget.cjs', import.meta.url))
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '22.12.0' });"
    const script = `${pretend} require(${JSON.stringify(launcher)})`
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    const sentence = 'purchase-widget needs Node 22.13 or newer, and this is Node 22.12.0.\n'
    expect([stdout, stderr, status]).toEqual(['', sentence, 1])
  })

  test('doctor prints a table and the headers that the page needs, and no secret', async () => {
    const { code, stdout, stderr } = await run(['doctor'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/ok +access token/)
    expect(stdout).toContain(`frame-src 'self' ${service.urls.widgetUrl}; connect-src 'self'`)
    expect(stdout).toMatch(/return page sets its own frame-ancestors/)
    const key = await webhookKeyOf(service.client())
    expect(stdout).toMatch(/note +companion address +PURCHASE_COMPANION_URL is not set/)
    expect(stdout).not.toContain(key)
    expect(stdout).toContain(`payment=(self "${service.urls.widgetUrl}")`)
    for (const secret of Object.values(service.credentials)) expect(stdout + stderr).not.toContain(secret)
  })

  test('doctor prints the address for webhooks only when it can be registered', async () => {
    const key = await webhookKeyOf(service.client())
    const right = await doctorSays('https://shop.example/api/')
    expect(right.ok).toBe(true)
    expect(right.text).toContain(`\n  https://shop.example/api/webhook/${key}`)
    for (const wrong of ['shop', 'http://shop.example/api']) {
      const { ok, text } = await doctorSays(wrong)
      expect(ok).toBe(false)
      expect(text).toMatch(/PURCHASE_COMPANION_URL/)
      expect(text).not.toContain('/webhook/')
    }
    const near = await doctorSays('http://localhost:3000/api')
    expect(near.text).toContain(`\n  http://localhost:3000/api/webhook/${key}`)
    const outOfReach = await doctorSays('http://localhost:3000/api', { baseUrl: 'https://service.invalid' })
    expect(outOfReach.text).toMatch(/The service cannot reach a companion on localhost/)
    expect(outOfReach.text).not.toContain('/webhook/')
    const nobody = await doctorSays('', {}, { 'no-token': true, companion: service.urls.widgetUrl })
    expect(nobody.ok).toBe(false)
    expect(nobody.text).not.toContain('/webhook/')
  })

  test('doctor exits 1 when a key is wrong, and names the failed check', async () => {
    const { code, stdout } = await run(['doctor', '--json'], { PURCHASE_SECRET_KEY: 'wrong-secret-1' })
    expect(code).toBe(1)
    expect(stdout).not.toContain('wrong-secret-1')
    const { checks } = JSON.parse(stdout) as { checks: Checkup[] }
    expect(checks.filter(({ result }) => result === 'failed').map(({ name }) => name)).toEqual([
      'access token',
    ])
  })

  test('doctor prints no webhook address that is derived from a wrong key', async () => {
    for (const key of ['secretKey', 'apiKey']) {
      const { text } = await doctorSays('https://shop.example/api', { [key]: 'wrong-key-1' }, {})
      expect(text).toContain('is made from your keys and the companion')
      expect(text).not.toContain('/webhook/')
    }
  })

  test('doctor ends within about ten seconds when nothing answers', async () => {
    const silent = await listen(() => {})
    const started = performance.now()
    const { code, stdout, lingeredMs } = await run(['doctor', '--json', '--companion', silent.url], {
      PURCHASE_WIDGET_URL: silent.url,
      PURCHASE_WIDGET_API_URL: silent.url,
      PURCHASE_BASE_URL: silent.url,
    })
    // Ten seconds, plus room for a busy machine. Abandoned calls would keep the process alive for five more.
    expect(performance.now() - started).toBeLessThan(40_000)
    expect(lingeredMs).toBeLessThan(3_000)
    await silent.close()
    expect(code).toBe(1)
    const { checks } = JSON.parse(stdout) as { checks: Checkup[] }
    expect(checks.map(({ result }) => result)).toEqual(Array(6).fill('failed'))
  })

  test.each<[args: string[], variables: Record<string, string>, message: string | RegExp]>([
    [['doctor', '--wrong'], {}, /^Unknown option '--wrong'[^\n]*\n$/],
    [['docter'], {}, 'There is no command "docter". purchase-widget --help lists them.\n'],
    [
      ['doctor'],
      { PURCHASE_API_KEY: '', PURCHASE_BASE_URL: ' ' },
      /set PURCHASE_BASE_URL, PURCHASE_API_KEY\.[^\n]*\n$/,
    ],
  ])('%j with %j is refused in one line', async (args, variables, message) => {
    const { code, stdout, stderr } = await run(args, variables)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })

  test.each<[words: string[], flags: Flags]>([
    [['list'], {}],
    [['burn'], { module: './x.ts' }],
    [['list'], { module: './x.ts', config: './x.json' }],
  ])('dead-letters %j with %j prints its usage', async (words, flags) => {
    const call = { client: () => service.client(), flags, words }
    await expect(deadLetters(call)).rejects.toThrow(/dead-letters list, or dead-letters redrive/)
  })

  describe('with the merchant’s own module', () => {
    let folder: string
    let module: string
    const index = new URL('../../src/index.ts', import.meta.url).href
    const sqlite = new URL('../../src/stores/sqlite.ts', import.meta.url).href

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'purchase-widget-cli-'))
      module = join(folder, 'companion.mjs')
      const database = join(folder, 'purchases.sqlite')
      writeFileSync(
        module,
        `import { createCompanion } from ${JSON.stringify(index)}
         import { sqliteStore } from ${JSON.stringify(sqlite)}
         export const store = sqliteStore(${JSON.stringify(database)})
         export const companion = createCompanion({
           url: 'http://127.0.0.1/purchase', store, authorize: () => null, onOrder() { throw new Error('not here') },
         })`,
      )
      const store = sqliteStore(database)
      for (const order_id of ['one', 'two']) {
        await store.jobs.add(keyOf({ order_id }), 'trusted')
        for (const job of await store.jobs.claim('trusted', 1, 1_000))
          await store.jobs.bury(job, 'Error: broken')
      }
      await store.close()
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('dead-letters lists orders that could not be handled, and redrives one or all', async () => {
      const listed = await run(['dead-letters', 'list', '--module', module, '--json'])
      expect(listed.code).toBe(0)
      const letters = JSON.parse(listed.stdout) as DeadLetter[]
      expect(letters.map(({ key, reason }) => [key, reason])).toEqual([
        [keyOf({ order_id: 'two' }), 'Error: broken'],
        [keyOf({ order_id: 'one' }), 'Error: broken'],
      ])
      const redrive = (...words: string[]): Promise<Ended> =>
        run(['dead-letters', 'redrive', ...words, '--module', module])
      expect(await redrive('never-was')).toMatchObject({ code: 1, stdout: expect.stringMatching(/no such/) })
      expect((await redrive(keyOf({ order_id: 'one' }))).stdout).toMatch(/^1 put back\./)
      expect((await redrive()).stdout).toMatch(/^1 put back\./)
      expect((await run(['dead-letters', 'list', '--module', module])).stdout).toMatch(/No dead letters/)
    })

    test('doctor checks the store that the module exports, and creates no token with --no-token', async () => {
      const { code, stdout } = await run(['doctor', '--no-token', '--module', module])
      expect([code, stdout]).toEqual([0, expect.stringMatching(/ok +store/)])
      expect(await service.count('createAccessToken')).toBe(0)
    })

    // Promise: cli/printable
    test('dead-letters prints keys and reasons without a character that acts on the terminal', async () => {
      /** Sets a title, writes to the clipboard, makes a link; starts a sequence in one character; reorders; ends the line. */
      const hostile =
        'gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\r\n\u{e0041}end'
      const shown = String.raw`gold\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b]8;;https://evil.example\u0007\u009b31m\u202elevel\u000d\u000a\udb40\udc41end`
      const letter = { key: `order:${hostile}`, reason: hostile, attempts: 12, diedAt: 0 }
      const file = join(folder, 'hostile.mjs')
      writeFileSync(
        file,
        `export const companion = { deadLetters: { list: async () => [${JSON.stringify(letter)}] }, close: async () => {} }`,
      )
      const args = ['dead-letters', 'list', '--module', file]
      // JSON has its own escapes for line breaks.
      const inJson = shown.replace(String.raw`\u000d\u000a`, String.raw`\r\n`)
      for (const [options, expected] of [
        [[], shown],
        [['--json'], inJson],
      ] as const) {
        const { stdout, stderr } = await run([...args, ...options], { NO_COLOR: '1' })
        expect(stdout).toContain(`order:${expected}`)
        expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u)
      }
    })
  })

  test('shows its help', async () => {
    expect((await run(['--help'])).code).toBe(0)
    expect(await run([])).toMatchObject({ code: 1, stdout: expect.stringContaining('Usage') })
  })
})
