/** The same sources under each version of TypeScript. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

for (const version of ['5.8', '5.9', '6.0', '7.0']) {
  const tsc = require.resolve(`typescript-${version}/package.json`).replace('package.json', 'bin/tsc')
  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ])
    execFileSync(process.execPath, [tsc, ...module], { stdio: 'inherit' })
}
