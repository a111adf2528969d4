/**
 * Releases the four packages together: the workflow `.github/workflows/release.yml` runs the first two.
 *
 *     node scripts/release.ts --version    next versions and change logs, from the files in .changeset
 *     node scripts/release.ts --publish    builds, lists what the packages are made of, publishes, tags
 *     node scripts/release.ts --dry-run    both, in a copy of this folder, and publishes nothing
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root as home, pnpm, run } from './run.ts'

const names = ['loader', 'react', 'server', 'sandbox'] as const

function version(root: string): void {
  run(root, 'changeset', 'version')
}

/** One list for each package, in CycloneDX: `.cache/sbom/purchase-widget-server.json`. */
function listParts(root: string): void {
  const out = join(root, '.cache/sbom/%s.json')
  const only = ['--prod', '--split', '--filter', './packages/*']
  pnpm(root, 'sbom', '--sbom-format', 'cyclonedx', ...only, '--out', out)
}

function publish(root: string, ...more: string[]): void {
  listParts(root)
  pnpm(root, '--recursive', '--filter', './packages/*', 'publish', '--no-git-checks', ...more)
}

/** A copy with what git would track, what was built, and a history of one commit. */
function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'purchase-widget-release-'))
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { errorOnExist: false, force: true })
  }
  for (const name of names) {
    const dist = join('packages', name, 'dist')
    cpSync(join(root, dist), join(copy, dist), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const as = ['-c', 'user.name=release', '-c', 'user.email=release@localhost', '-c', 'commit.gpgsign=false']
  run(copy, 'git', 'init', '--quiet', '--initial-branch=main')
  run(copy, 'git', 'add', '--all')
  run(copy, 'git', ...as, 'commit', '--quiet', '--message=Release')
  return copy
}

function manifestOf(root: string, name: string): { version: string; private?: boolean } {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
}

function dryRun(): void {
  run(home, 'node', 'scripts/build.ts', '--stale', ...names)
  const copy = copyOf(home)
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  version(copy)
  publish(copy, '--dry-run', '--no-provenance')
  for (const name of names) {
    const { version } = manifestOf(copy, name)
    console.log(`@purchase-widget/${name} ${manifestOf(home, name).version} -> ${version}`)
  }
}

switch (process.argv[2]) {
  case '--version':
    version(home)
    pnpm(home, 'install', '--lockfile-only')
    break
  case '--publish':
    run(home, 'node', 'scripts/build.ts')
    publish(home)
    run(home, 'changeset', 'tag')
    break
  case '--dry-run':
    dryRun()
    break
  default:
    console.error('Use --version, --publish or --dry-run.')
    process.exitCode = 1
}
