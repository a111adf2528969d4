// Promise: return/hostile-parse
/** An address may come from anywhere, so its length must not cost more than its reading. */
import { expect, test } from 'vitest'
import { buildWidgetUrl, parseReturnUrl } from '../src/index.ts'
import { safeOrigin } from '../src/safeOrigin.ts'

const units = [
  '/',
  '?',
  '&',
  '#',
  ':',
  '=',
  '_',
  '%',
  '1.',
  '/?',
  '&#',
  '&type=',
  '&type=a_',
  '?order_id=4',
  '/return/',
  '?purchase=',
]

/** What each pattern must give up on: nothing, or something at the end that does not fit. */
const ends = ['', 'x', '@', '\\', '/x']

function read(address: string): void {
  if (safeOrigin(address)) buildWidgetUrl({ widgetUrl: address, accessToken: 't', params: { a: address } })
  parseReturnUrl(address)
  parseReturnUrl(address, { companion: address })
  parseReturnUrl(address, { redirectUrl: address.slice(0, -1), failRedirectUrl: address })
}

test.each(units)('an address with 64 and 640 kB of %j is read at once', (unit) => {
  for (const [size, bound] of [
    [64_000, 1_000],
    [640_000, 5_000],
  ] as const)
    for (const end of ends) {
      const address = `https://widget.example/${unit.repeat(size / unit.length)}${end}`
      // Of the processor: a busy machine may let a test wait for longer than that.
      const begun = process.cpuUsage()
      read(address)
      expect(process.cpuUsage(begun).user / 1_000, `${size} characters, then ${end}`).toBeLessThan(bound)
    }
})
