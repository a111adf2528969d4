/** A folder outside of the repository: the packed packages, and the projects of people who have nothing else of ours. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import workspace from '../../package.json' with { type: 'json' }
import { type Environment, run } from '../../scripts/processes.ts'
import { pack } from '../../scripts/run.ts'
import type { Project } from './projects.ts'

export interface House {
  /** Where a project is. */
  folderOf(project: string): string
  /** Installs what each project's package.json names: once for all of them, from one lock file. */
  install(): Promise<unknown>
  /** What programs in it see: a home without settings, and nothing else. */
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
  await furnish(join(sources, 'sandbox'), join(folder, 'sandbox'), {})

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

/** Copies a project, with what it takes from our documents. */
async function furnish(
  source: string,
  folder: string,
  { files = {} }: Pick<Project, 'files'>,
): Promise<void> {
  await cp(source, folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  for (const [file, read] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), read())
  }
}
