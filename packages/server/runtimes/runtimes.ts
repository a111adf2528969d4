/** The runtimes, and how each serves the shop. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const here = import.meta.dirname
// The programs themselves: what npm puts before them would not pass a kill on.
const program = (path: string): string => join(here, 'node_modules', path)
const node22 = program('node-22/bin/node')
const bunItself = program('bun/bin/bun.exe')
const denoItself = program('deno/deno')
const host = (name: string): string => join(here, 'hosts', `${name}.mjs`)

export interface Runtime {
  name: string
  version: string
  /** A program and its arguments. */
  command: readonly [string, ...string[]]
}

const versionOf = (program: string): string =>
  /\d+\.\d+\.\d+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? ''

const versionOfPackage = (name: string): string =>
  (createRequire(createRequire(import.meta.url).resolve('miniflare'))(`${name}/package.json`) as Versioned)
    .version
interface Versioned {
  version: string
}

const nodes: Runtime[] = [
  { name: 'Node 22', version: versionOf(node22), command: [node22, host('node')] },
  { name: 'Node 24', version: versionOf(process.execPath), command: [process.execPath, host('node')] },
]
const bun: Runtime = { name: 'Bun', version: versionOf(bunItself), command: [bunItself, host('bun')] }
const deno: Runtime = {
  name: 'Deno',
  version: versionOf(denoItself),
  command: [denoItself, 'run', '--allow-all', '--node-modules-dir=manual', host('deno')],
}
const workerd: Runtime = {
  name: 'workerd',
  version: versionOfPackage('workerd'),
  command: [process.execPath, host('workerd')],
}
const lambda = (name: string, kind: string): Runtime => ({
  name: `AWS Lambda, ${name}`,
  version: 'payload 2.0',
  command: [process.execPath, host('lambda'), kind],
})

/** Six: a Lambda handler counts once, however it is called. */
export const forRoutes: readonly Runtime[] = [
  ...nodes,
  bun,
  deno,
  workerd,
  lambda('API Gateway', 'gateway'),
  lambda('function URL', 'functionUrl'),
]

/** Those with a process of their own that goes on between requests. */
export const forFulfilment: readonly Runtime[] = [...nodes, bun, deno]
