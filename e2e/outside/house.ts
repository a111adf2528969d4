/** A folder outside the repository: the packed packages, and projects that use nothing else of ours. */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import workspace from '../../package.json' with { type: 'json' }
import { type Environment, type Running, run, start } from '../../scripts/processes.ts'
import { pack } from '../../scripts/run.ts'
import type { Project } from './projects.ts'

export interface House {
  /** The folder of a project. */
  folderOf(project: string): string
  /** Installs the dependencies of every project: once for all of them, from one lock file. */
  install(): Promise<unknown>
  /** The environment of its programs: only a home without settings. */
  readonly env: Environment
  tearDown(): Promise<void>
}

/** The lock file has no hashes of the tarballs, which change with every build. */
const INSTALL = ['--prefer-offline', '--no-frozen-lockfile']

export async function buildHouse(projects: Readonly<Record<string, Project>>): Promise<House> {
  const site = await mkdtemp(join(tmpdir(), 'outside-'))
  const folder = join(site, 'projects')
  const home = join(site, 'home')
  for (const path of [folder, home]) await mkdir(path)
  // The store of pnpm and the cache of npx are the user's.
  const user = { HOME: process.env.HOME ?? home, CI: 'true' }
  pack(join(folder, 'tarballs'))
  const sources = join(import.meta.dirname, 'projects')
  for (const file of ['pnpm-workspace.yaml', 'pnpm-lock.yaml'])
    await cp(join(sources, file), join(folder, file))
  for (const [name, project] of Object.entries(projects))
    await furnish(join(sources, project.folder ?? name), join(folder, name), project)
  await mkdir(join(folder, 'sandbox'))
  await writeFile(join(folder, 'sandbox', 'package.json'), JSON.stringify(sandboxProject))

  const filters = [...Object.keys(projects), 'sandbox'].map((name) => `--filter=${name}`)
  let installed: Promise<string> | undefined
  const install = (): Promise<string> => {
    installed ??= run('npx', ['-y', workspace.packageManager, 'install', ...INSTALL, ...filters], {
      cwd: folder,
      env: user,
    })
    return installed
  }

  return {
    folderOf: (project) => join(folder, project),
    install,
    env: { HOME: home },
    tearDown: () => rm(site, { recursive: true, force: true }),
  }
}

/** The sandbox, installed as a project of its own. */
const sandboxProject = {
  name: 'sandbox',
  private: true,
  scripts: { start: 'purchase-widget-sandbox --port 0 --widget-port 0 --json' },
  devDependencies: { '@purchase-widget/sandbox': '0.1.0' },
}

/** Copies a project with its files from our documents and examples, and compiler settings if it has none of its own. */
async function furnish(
  source: string,
  folder: string,
  { files = {} }: Pick<Project, 'files'>,
): Promise<void> {
  await cp(source, folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  const settings = join(folder, 'tsconfig.json')
  if (!existsSync(settings)) await cp(join(source, '../tsconfig.json'), settings)
  for (const [file, read] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), read())
  }
}

export interface Service {
  /** The environment of a shop's server. */
  readonly env: Environment
  readonly widgetUrl: string
  stop: Running['stop']
}

/** Starts the sandbox from its tarball, as its guide says, and reads its addresses. */
export async function startSandbox(house: House): Promise<Service> {
  await house.install()
  const where = { cwd: house.folderOf('sandbox'), env: house.env }
  const isUp = (output: string): boolean => output.includes('\n')
  const { output, stop } = await start('npm', ['run', '--silent', 'start'], where, isUp)
  const ready = JSON.parse(output()) as Record<
    'widgetUrl' | 'widgetApiUrl' | 'baseUrl' | 'apiKey' | 'secretKey',
    string
  >
  return {
    env: {
      PURCHASE_WIDGET_URL: ready.widgetUrl,
      PURCHASE_WIDGET_API_URL: ready.widgetApiUrl,
      PURCHASE_BASE_URL: ready.baseUrl,
      PURCHASE_API_KEY: ready.apiKey,
      PURCHASE_SECRET_KEY: ready.secretKey,
    },
    widgetUrl: ready.widgetUrl,
    stop,
  }
}
