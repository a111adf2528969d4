/** The command line: starts a sandbox, says where it is, and stops cleanly. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { type Command, type Format, help, hintFor, readCommand } from './commandLine.ts'
import type { Sandbox } from './createSandbox.ts'
import { environmentOf } from './environment.ts'

const formats: Record<Format, (sandbox: Sandbox) => string> = {
  json: ({ urls, credentials }) => JSON.stringify({ ...urls, ...credentials }),
  env: environment,
  text: introduction,
}

try {
  const command = readCommand(process.argv.slice(2), process.env)
  if (command) await run(command)
  else console.log(help)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run({ format, options }: Command): Promise<void> {
  // In the repository, types are stripped from the sources once, not at each start.
  if (import.meta.filename.endsWith('.ts'))
    enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))
  // Loaded late, so that --help and a wrong option answer at once.
  const { createSandbox } = await import('./createSandbox.ts')
  const sandbox = await createSandbox(options)
  const hint = hintFor(options)
  if (hint) console.error(hint)
  const stop = (): void => void sandbox.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  // Last: whoever reads it may stop the sandbox at once.
  console.log(formats[format](sandbox))
}

/** As lines of a `.env` file. */
function environment(sandbox: Sandbox): string {
  const lines = Object.entries(environmentOf(sandbox)).map(([name, value]) => `${name}=${value}`)
  return lines.join('\n')
}

function introduction(sandbox: Sandbox): string {
  const { urls } = sandbox
  return `The sandbox is running.

  widget page     ${urls.widgetUrl}/widget/?accessToken=…
  API             ${urls.baseUrl}
  console         ${urls.controlUrl}/

For your server's .env:

${environment(sandbox)}

Ctrl-C stops it.`
}
