/** The sandbox, from its tarball: started as its guide says, and asked where it is. */
import { type Environment, type Running, start } from '../../scripts/processes.ts'
import type { House } from './house.ts'

export interface Service {
  /** What a shop's server reads. */
  readonly env: Environment
  readonly widgetUrl: string
  stop: Running['stop']
}

export async function startSandbox(house: House): Promise<Service> {
  await house.install()
  const where = { cwd: house.folderOf('sandbox'), env: house.env }
  const isUp = (output: string): boolean => output.includes('\n')
  const { output, stop } = await start('npm', ['run', '--silent', 'start'], where, isUp)
  const said = JSON.parse(output()) as Record<
    'widgetUrl' | 'widgetApiUrl' | 'baseUrl' | 'apiKey' | 'secretKey',
    string
  >
  return {
    env: {
      PURCHASE_WIDGET_URL: said.widgetUrl,
      PURCHASE_WIDGET_API_URL: said.widgetApiUrl,
      PURCHASE_BASE_URL: said.baseUrl,
      PURCHASE_API_KEY: said.apiKey,
      PURCHASE_SECRET_KEY: said.secretKey,
    },
    widgetUrl: said.widgetUrl,
    stop,
  }
}
