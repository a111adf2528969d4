/**
 * Releases the four packages together: the workflow `.github/workflows/release.yml` runs the first two.
 *
 *     node scripts/release.ts --version    next versions and change logs, from the files in .changeset
 *     node scripts/release.ts --publish    builds, lists what the packages are made of, publishes, tags
 *     node scripts/release.ts --dry-run    both, on the last commit in a folder of its own, and publishes nothing
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root as home, pnpm, run } from './run.ts'

const names = ['loader', 'react', 'server', 'sandbox'] as const

function version(root: string): void {
  run(root, 'changeset', 'version')
}

/** Writes one CycloneDX bill of materials per package: `.cache/sbom/purchase-widget-server.json`. */
function listParts(root: string): void {
  const out = join(root, '.cache/sbom/%s.json')
  const only = ['--prod', '--split', '--filter', './packages/*']
  pnpm(root, 'sbom', '--sbom-format', 'cyclonedx', ...only, '--out', out)
}

function publish(root: string, ...more: string[]): void {
  listParts(root)
  pnpm(root, '--recursive', '--filter', './packages/*', 'publish', '--no-git-checks', ...more)
}

/** Creates a work tree of the last commit, with the existing build output and installation. */
function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'purchase-widget-release-'))
  process.on('exit', () => spawnSync('git', ['worktree', 'remove', '--force', copy], { cwd: root }))
  run(root, 'git', 'worktree', 'add', '--quiet', '--detach', copy)
  for (const name of names) {
    const dist = join('packages', name, 'dist')
    cpSync(join(root, dist), join(copy, dist), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function manifestOf(root: string, name: string): { version: string; private?: boolean } {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
}

function dryRun(): void {
  run(home, 'node', 'scripts/build.ts', '--stale', ...names)
  const copy = copyOf(home)
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
