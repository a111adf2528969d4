// Promise: outside/projects
/** The same sources under each version of TypeScript; and CommonJS, with the errors that the server's README names for settings without its types. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns the code of the first error. */
function check(version: string, ...settings: string[]): string | undefined {
  const tsc = require.resolve(`typescript-${version}/package.json`).replace('package.json', 'bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, ...settings], { encoding: 'utf8' })
  const code = /error (TS\d+)/.exec(stdout)?.[1]
  return code && `${code}: ${stdout}`
}

/** In CommonJS: the error code for each value of `module`. */
const required: [version: string, settings: Record<string, string | undefined>][] = [
  ['5.8', { nodenext: undefined, node16: 'TS1479', commonjs: 'TS2307' }],
  ['5.9', { node20: undefined }],
  ['6.0', {}],
  ['7.0', { nodenext: undefined, node20: undefined, node16: 'TS1479' }],
]

for (const [version, settings] of required) {
  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ])
    assert.equal(check(version, ...module), undefined)
  for (const [module, code] of Object.entries(settings)) {
    const error = check(version, '--project', 'tsconfig.required.json', '--module', module)
    assert.equal(error?.slice(0, 6), code, `${version}, ${module}: ${error}`)
  }
}
