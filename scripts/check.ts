/** Format, lint, types and unused code, in that order; stops at the first that fails. */
import { spawnSync } from 'node:child_process'

const steps = [['biome', 'ci', '--error-on-warnings', '.'], ['tsc', '-b'], ['knip']] as const

for (const [command, ...args] of steps) {
  console.log(`> ${command} ${args.join(' ')}`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
