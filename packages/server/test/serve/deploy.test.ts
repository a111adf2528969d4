// Promise: serve/deploy
/** Deploying serve: the Dockerfile, its steps without Docker, the systemd unit, and Postgres, over which several instances act as one companion. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../../scripts/processes.ts'
import { full } from '../../../../scripts/proof.ts'
import { type Service as Instance, runServe } from '../../src/serve/runServe.ts'
import { readSettings } from '../../src/serve/settings.ts'
import { type HookShop, hookSecret, startHookShop } from '../support/hookShop.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { ask, launch, publicUrl, serviceVariables } from '../support/serving.ts'
import { variables } from '../support/settings.ts'

const root = join(import.meta.dirname, '../../../..')
const lacksSystemd = process.env.ENGINES !== 'all' && spawnSync('systemd-analyze', ['--version']).status !== 0

test.skipIf(lacksSystemd)('systemd finds nothing wrong with the systemd unit', () => {
  const unit = join(root, 'examples/any-language/purchase-widget.service')
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

// It installs and builds the repository once more, which takes a minute: for every change, e2e/outside installs the packed packages.
if (full)
  test('the steps of the Dockerfile build a server, also with Postgres', { timeout: 1_800_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockerfile-'))
    try {
      const image = buildImage(join(root, 'packages/server/Dockerfile'), root, folder)
      const port = await freePort()
      const hook = { url: 'http://127.0.0.1:1/' }
      const configuration = {
        url: 'https://shop.example/api/purchase-widget',
        port,
        store: { sqlite: '../data/purchases.sqlite' },
        secret: { env: 'PURCHASE_HOOK_SECRET' },
        authorize: hook,
        createPurchase: hook,
        onOrder: hook,
      }
      mkdirSync(join(image.root, 'config'))
      writeFileSync(join(image.root, 'config/purchase-widget.json'), JSON.stringify(configuration))
      const [command = '', ...args] = image.command
      const env = { ...image.env, ...variables, PURCHASE_HOOK_SECRET: hookSecret }
      const served = spawn(command, args, { cwd: image.root, env, stdio: ['ignore', 'pipe', 'inherit'] })
      const [listening] = (await once(served.stdout, 'data')) as [Buffer]
      expect(String(listening)).toContain('"event":"listening"')
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      const exit = once(served, 'exit')
      served.kill('SIGTERM')
      expect(await exit).toEqual([0, null])
      const pg = join(image.root, 'usr/local/lib/node_modules/pg')
      expect(spawnSync(process.execPath, ['-e', `require(${JSON.stringify(pg)})`]).status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

interface Image {
  /** The folder for the image's `/`. */
  root: string
  env: Record<string, string>
  /** The start command of the image, with paths in its folder. */
  command: string[]
}

type Step = [instruction: string, rest: string]

/** @param context the folder to build; files known to git are copied. */
function buildImage(dockerfile: string, context: string, folder: string): Image {
  const stages = new Map<string, string>()
  let image: Image = { root: '', env: {}, command: [] }
  let workdir = ''
  const inImage = (path: string): string => join(image.root, path)
  /** Makes the paths in a command absolute. */
  const withPaths = (text: string): string =>
    text.replace(/(?<=^| )\/[\w./-]+/g, (path) => inImage(path)).replace('chown node', 'chown $(id -u)')

  const instructions: Record<string, (rest: string) => void> = {
    FROM(rest) {
      const [base = '', , name = 'last'] = rest.split(' ')
      const major = /^node:(\d+)-/.exec(base)?.[1]
      if (!process.version.startsWith(`v${major}.`)) throw new Error(`${base} is not ${process.version}.`)
      const root = mkdtempSync(join(folder, `${name}-`))
      stages.set(name, root)
      workdir = root
      const path = `${join(root, 'usr/local/bin')}:${process.env.PATH}`
      const env = { PATH: path, npm_config_prefix: join(root, 'usr/local') }
      image = { root, env, command: [] }
      mkdirSync(inImage('tmp'))
    },
    WORKDIR(rest) {
      workdir = inImage(rest)
      mkdirSync(workdir, { recursive: true })
    },
    COPY(rest) {
      const [, stage, from = '', to = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? []
      if (stage === undefined) copyCommit(context, join(workdir, to))
      else cpSync(join(stages.get(stage) ?? '', from), inImage(to))
    },
    RUN(rest) {
      const { status } = spawnSync('sh', ['-c', withPaths(rest)], {
        cwd: workdir,
        // Each machine has its own way to reach the registry.
        env: { ...process.env, npm_config_prefer_offline: 'true', ...image.env },
        stdio: 'inherit',
      })
      if (status !== 0) throw new Error(`This step of the Dockerfile ended with ${status}: ${rest}`)
    },
    ENV(rest) {
      const [name = '', value = ''] = rest.split('=')
      image.env[name] = value
    },
    CMD(rest) {
      image.command = (JSON.parse(rest) as string[]).map(withPaths)
    },
    EXPOSE() {},
    USER() {},
  }
  for (const [instruction, rest] of stepsOf(dockerfile)) {
    const run = instructions[instruction]
    if (!run) throw new Error(`Nobody has taught this test ${instruction}.`)
    run(rest)
  }
  return image
}

function stepsOf(dockerfile: string): Step[] {
  const text = readFileSync(dockerfile, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)])
}

function copyCommit(context: string, to: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: context, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
  for (const file of files) {
    mkdirSync(join(to, dirname(file)), { recursive: true })
    cpSync(join(context, file), join(to, file))
  }
}

// Promise: serve/postgres
describe.skipIf(!hasPostgres)('serve over Postgres', () => {
  let service: Service
  let shop: HookShop
  let postgres: PostgresServer
  let folder: string
  const instances: Instance[] = []

  beforeAll(async () => {
    service = await startService()
    shop = await startHookShop()
    postgres = await startPostgres()
    folder = mkdtempSync(join(tmpdir(), 'serve-postgres-'))
    const file = join(folder, 'purchase-widget.json')
    const configuration = {
      url: publicUrl,
      port: 0,
      store: { postgres: { env: 'DATABASE_URL' } },
      secret: { env: 'PURCHASE_HOOK_SECRET' },
      authorize: { url: `${shop.url}/authorize` },
      createPurchase: { url: `${shop.url}/purchase` },
      onOrder: { url: `${shop.url}/order` },
    }
    writeFileSync(file, JSON.stringify(configuration))
    const secrets = { PURCHASE_HOOK_SECRET: hookSecret, DATABASE_URL: postgres.url }
    for (const [name, value] of Object.entries({ ...serviceVariables(service), ...secrets }))
      vi.stubEnv(name, value)
    const settings = readSettings(file)
    for (let count = 0; count < 2; count++) instances.push(await runServe(settings, () => {}))
  })
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    vi.unstubAllEnvs()
    await postgres.close()
    await shop.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('one instance knows a purchase of another, and delivers its order once', async () => {
    const [first = '', second = ''] = instances.map(({ address }) => address)
    const { location } = await launch(first)
    const params = Object.fromEntries(new URL(location ?? '').searchParams)
    await service.buy(params)
    await ask(second, '/orders')
    await ask(first, '/orders')
    await expect.poll(() => [...shop.delivered.values()]).toEqual(['matched'])
    const id = params.redirect_url?.split('/').pop()
    await expect
      .poll(async () => JSON.parse((await ask(second, `/purchases/${id}`)).text))
      .toMatchObject({ status: 'complete', state: 'matched' })
    expect(shop.delivered.size).toBe(1)
  })

  test('serve is ready, and not ready while the database is down', async () => {
    const ready = async (): Promise<number> => (await fetch(`${instances[0]?.address}/readyz`)).status
    expect(await ready()).toBe(200)
    await postgres.kill()
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${instances[0]?.address}/healthz`)).status).toBe(200)
    await postgres.start()
    await expect.poll(ready).toBe(200)
  })
})
