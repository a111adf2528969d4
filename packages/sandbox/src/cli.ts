#!/usr/bin/env node
/** The command line: starts a sandbox, says where it is, and stops cleanly. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Sandbox } from './createSandbox.ts'
import type { SandboxOptions } from './options.ts'

const help = `Usage: sandbox [options]

The whole purchase service on this machine, until you press Ctrl-C.

  --port N          port of the API and the control plane   (default: a free one)
  --widget-port N   port of the widget page                 (default: a free one)
  --db FILE         keep everything in an SQLite file       (default: in memory)
  --webhook-host H  host besides this machine that webhooks may go to; may be repeated
  --json            say where it is as one line of JSON
  --help            show this`

try {
  const options = readOptions()
  if (options) await run(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function run({ json, ...options }: SandboxOptions & { json: boolean }): Promise<void> {
  // In the repository, types are stripped from the sources once, not at each start.
  if (import.meta.filename.endsWith('.ts'))
    enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'))
  // Loaded late, so that --help and a wrong option answer at once.
  const { createSandbox } = await import('./createSandbox.ts')
  const sandbox = await createSandbox(options)
  console.log(json ? JSON.stringify({ ...sandbox.urls, ...sandbox.credentials }) : introduction(sandbox))
  const stop = (): void => void sandbox.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** Null after --help. */
function readOptions(): (SandboxOptions & { json: boolean }) | null {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'widget-port': { type: 'string' },
      db: { type: 'string' },
      'webhook-host': { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    return null
  }
  return {
    json: values.json,
    ...(values.port && { port: portOf('--port', values.port) }),
    ...(values['widget-port'] && { widgetPort: portOf('--widget-port', values['widget-port']) }),
    ...(values.db && { db: values.db }),
    ...(values['webhook-host'] && { webhookHosts: values['webhook-host'] }),
  }
}

function portOf(option: string, text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536 && text.trim() !== '') return port
  throw new Error(`${option} must be a number from 0 to 65535, not "${text}".`)
}

function introduction({ urls, credentials }: Sandbox): string {
  return `
The sandbox is ready.

  widget page     ${urls.widgetUrl}/widget/?accessToken=…
  API             ${urls.baseUrl}
  console         ${urls.controlUrl}/
  API reference   ${urls.controlUrl}/docs

  api key         ${credentials.apiKey}
  secret key      ${credentials.secretKey}

Ctrl-C stops it.
`
}
