/** The CLI: starts a sandbox, prints its addresses and stops it cleanly. */
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
  // In the repository, the compile cache saves stripping types from the sources at each start.
  if (import.meta.filename.endsWith('.ts'))
    enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))
  // Loaded lazily, so that --help and invalid options return immediately.
  const { createSandbox } = await import('./createSandbox.ts')
  const sandbox = await createSandbox(options)
  const hint = hintFor(options)
  if (hint) console.error(hint)
  const stop = (): void => void sandbox.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  // Printed last: a program that reads it may stop the sandbox immediately.
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
