/** What the doctor says of the webhook's address: only one that the service can be given, and whose key is made of the right keys. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { checkUrl, configuredUrl } from '../companion/setting.ts'
import type { Diagnosis } from '../doctor/runDoctor.ts'
import { wrongApiKey, wrongSecretKey } from '../doctor/settings.ts'
import { isLoopback } from '../loopback.ts'

/** @param given as `--companion`. */
export function webhookLines(
  { checks, webhookPath }: Diagnosis,
  given: string | undefined,
  { addresses }: PurchaseClient,
): string[] {
  const address = given ?? configuredUrl()
  const isWrong = (...settings: string[]): boolean =>
    checks.some((check) => check.result === 'failed' && settings.includes(check.setting))
  if (isWrong(wrongApiKey.setting, wrongSecretKey.setting)) {
    return [
      'The address to register for webhooks is made with your keys: fix those, and run the doctor again.',
    ]
  }
  if (address === '' || isWrong('url', given === undefined ? 'PURCHASE_COMPANION_URL' : '--companion')) {
    return [
      'The address to register for webhooks is not known: fix the address of the companion, or give --companion URL,',
      'and run the doctor again.',
    ]
  }
  if (isHere(address) && !isHere(addresses.baseUrl)) {
    return [
      'The service cannot reach a companion on localhost: register the address of your shop as it is deployed.',
      'Until then orders are found without a webhook: when a shopper returns, and by reconciling, every five minutes.',
    ]
  }
  return [
    'Register this address for webhooks, and keep it to yourself:',
    `  ${checkUrl(address)}${webhookPath}`,
  ]
}

const isHere = (address: string): boolean => isLoopback(new URL(address).hostname)
