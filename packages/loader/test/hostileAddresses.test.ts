// Promise: loader/hostile-addresses
// Promise: return/hostile-parse
/** Addresses that are hostile by their target or by their length. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { buildWidgetUrl, createPurchaseWidget, parseReturnUrl } from '../src/index.ts'
import { parseOptions } from '../src/opening/options.ts'
import { safeOrigin } from '../src/url.ts'
import { goodAddress, hostile, hostileAddress } from './hostileAddresses.ts'

const refused = expect.objectContaining({ name: 'WidgetError', code: 'invalid_options' })

test.each(hostile)('%j is not opened', (widgetUrl) => {
  expect(() => buildWidgetUrl({ widgetUrl, accessToken: 't' })).toThrow(refused)
})

test('no generated hostile address is accepted anywhere', () => {
  const runs = proofRuns(5_000, 500)
  fc.assert(
    fc.property(hostileAddress, (address) => {
      expect(() => buildWidgetUrl({ widgetUrl: address, accessToken: 't' })).toThrow(refused)
      expect(() => createPurchaseWidget({ widgetUrl: address, accessToken: 't' })).toThrow(refused)
    }),
    { numRuns: runs },
  )
  recordFigure('hostile addresses accepted as widgetUrl', `0 of ${runs}`)
})

test('every good address is accepted, and keeps its origin', () => {
  const runs = proofRuns(200, 200)
  fc.assert(
    fc.property(goodAddress, (address) => {
      const url = new URL(buildWidgetUrl({ widgetUrl: address, accessToken: 't' }))
      expect(url.origin).toBe(new URL(address).origin)
      expect(parseOptions({ widgetUrl: address, accessToken: 't' }).mode).toBe('modal')
    }),
    { numRuns: runs },
  )
  recordFigure('good addresses rejected as widgetUrl', `0 of ${runs}`)
})

/** An address may come from any source, so parsing must stay linear in its length. */
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

/** Endings: none, or one that makes a pattern fail to match. */
const ends = ['', 'x', '@', '\\', '/x']

function read(address: string): void {
  if (safeOrigin(address)) buildWidgetUrl({ widgetUrl: address, accessToken: 't', params: { a: address } })
  parseReturnUrl(address)
  parseReturnUrl(address, { companion: address })
  parseReturnUrl(address, { redirectUrl: address.slice(0, -1), failRedirectUrl: address })
}

test.each(units)('addresses with 64 and 640 kB of %j are parsed in bounded time', (unit) => {
  for (const [size, bound] of [
    [64_000, 1_000],
    [640_000, 5_000],
  ] as const)
    for (const end of ends) {
      const address = `https://widget.example/${unit.repeat(size / unit.length)}${end}`
      // CPU time, since a busy machine may keep the test waiting for longer than the bound.
      const startUsage = process.cpuUsage()
      read(address)
      expect(process.cpuUsage(startUsage).user / 1_000, `${size} characters, then ${end}`).toBeLessThan(bound)
    }
})
