// Promise: token/no-bundle
/**
 * A browser bundle with this package in it fails to build or throws at once, and contains no secret. A bundle for an edge
 * server contains the package itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webpack from 'webpack'
import { full, recordFigure } from '../../../scripts/proof.ts'
import manifest from '../package.json' with { type: 'json' }
import { startService } from './support/service.ts'
import { serviceVariables } from './support/serving.ts'

const here = dirname(fileURLToPath(import.meta.url))
const entry = join(here, 'fixtures/client.js')
const canary = 'CANARY-secret-key-4b7e'
let folder: string
let refused = 0
let leaked = 0

beforeAll(() => {
  // Inside the package, so that its dependencies resolve.
  const cache = join(here, '../.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'bundles-'))
  process.env.PURCHASE_SECRET_KEY = canary
})
afterAll(() => {
  for (const child of children) child.kill()
  delete process.env.PURCHASE_SECRET_KEY
  rmSync(folder, { recursive: true, force: true })
  recordFigure(
    'client bundles (Vite, webpack, Next) that fail or throw',
    `${refused} of 3; with a canary secret ${leaked}`,
  )
})

/** Everything that a browser could load. */
const textsIn = (path: string): string[] =>
  !existsSync(path)
    ? []
    : globSync('**/*.{js,mjs,html,json}', { cwd: path })
        .map((file) => join(path, file))
        .filter((file) => statSync(file).isFile())
        .map((file) => readFileSync(file, 'utf8'))

function expectNoSecret(texts: string[]): void {
  expect(texts.length).toBeGreaterThan(0)
  if (texts.some((text) => text.includes(canary))) leaked++
  expect(texts.filter((text) => text.includes(canary))).toEqual([])
}

test('a Vite bundle throws', async () => {
  const outDir = join(folder, 'vite')
  await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    build: { outDir, lib: { entry, formats: ['iife'], name: 'app', fileName: 'app' } },
  })
  const texts = textsIn(outDir)
  expect(() => runInNewContext(texts[0] ?? '', { document: {} })).toThrow(
    /must never be part of a browser bundle/,
  )
  refused++
  expectNoSecret(texts)
})

function buildWithWebpack(target: string, path: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    webpack({ mode: 'production', target, entry, output: { path, filename: 'app.js' } }, (error, stats) =>
      error ? reject(error) : resolve(stats?.toString('errors-only') ?? ''),
    )
  })
}

test('a webpack bundle fails to build', async () => {
  const path = join(folder, 'webpack')
  const errors = await buildWithWebpack('web', path)
  expect(errors).toMatch(/not found in '@purchase-widget\/server'/)
  refused++
  expectNoSecret([errors, ...textsIn(path)])
})

// Their conditions, `worker` and `node` beside `browser`, would match a server too.
test.each(['webworker', 'electron-renderer'])(
  'a webpack bundle for %s, which runs on the shopper’s device, fails to build',
  async (target) => {
    const path = join(folder, target)
    const errors = await buildWithWebpack(target, path)
    expect(errors).toMatch(/not found in '@purchase-widget\/server'/)
    expectNoSecret([errors, ...textsIn(path)])
  },
)

// A build by Next takes both cores for a minute: webpack's, above, shows the same condition for every change.
if (full)
  test('a Next client component fails to build', { timeout: 900_000 }, async () => {
    const app = join(folder, 'next')
    cpSync(join(here, 'fixtures/next-client'), app, { recursive: true })
    const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
    const { code, output } = await run(process.execPath, [
      next,
      'build',
      '--experimental-build-mode=compile',
      app,
    ])
    expect(code).not.toBe(0)
    expect(output).toContain('never-in-the-browser')
    refused++
    expectNoSecret([output, ...textsIn(join(app, '.next'))])
  })

test.each([
  ['Cloudflare Workers', ['workerd', 'worker', 'browser']],
  ['Vercel’s edge runtime', ['edge-light', 'worker', 'browser']],
  ['Deno', ['deno', 'browser']],
  ['Bun', ['bun', 'browser']],
])('a bundle for %s has the server code, and it runs', async (name, conditions) => {
  const outDir = join(folder, name)
  await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    resolve: { conditions: [...conditions, 'module', 'production'] },
    build: {
      outDir,
      minify: false,
      lib: { entry: join(here, 'fixtures/worker.js'), formats: ['es'], fileName: () => 'worker.mjs' },
      rolldownOptions: { external: [/^node:/] },
    },
  })
  const service = await startService()
  const { default: worker } = (await import(pathToFileURL(join(outDir, 'worker.mjs')).href)) as {
    default: { fetch(request: Request, env: Record<string, string>): Promise<Response> }
  }
  const response = await worker.fetch(new Request('https://shop.example'), serviceVariables(service))
  expect(await response.json()).toEqual({ hasToken: true })
  await service.close()
})

test('the published package has the same conditions as the workspace', () => {
  const { exports, publishConfig } = manifest
  for (const entry of ['.', './sqlite', './postgres'] as const) {
    const { types, ...published } = publishConfig.exports[entry]
    expect(types).toMatch(/\.d\.ts$/)
    expect(Object.keys(published)).toEqual(Object.keys(exports[entry]))
    expect(Object.keys(published)).toEqual(Object.keys(exports['.']))
  }
})

const children: ChildProcess[] = []

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('close', (code) => resolve({ code, output }))
  })
}
