// Promise: loader/hostile-addresses
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../scripts/proof.ts'
import { buildWidgetUrl, createPurchaseWidget } from '../src/index.ts'
import { parseOptions } from '../src/opening/options.ts'
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

test('every good address is accepted, and leads where it says', () => {
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
