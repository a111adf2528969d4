/** Where webhooks may go: whoever steers the sandbox chooses addresses and bodies, and must not reach other machines so. */
import { isLoopbackHost } from '../loopback.ts'
import { invalid } from '../refusal.ts'
import type { State } from '../state/state.ts'

export function mayReceiveWebhooks(state: State, url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return isLoopbackHost(hostname) || state.webhookHosts.includes(hostname)
}

/** @throws Refusal (400) for an address that webhooks may not go to. */
export function checkWebhookUrl(state: State, url: string): void {
  if (!mayReceiveWebhooks(state, url))
    throw invalid('url', 'must be on this machine, or its host allowed with webhookHosts (--webhook-host)')
}
