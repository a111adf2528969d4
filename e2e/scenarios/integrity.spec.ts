// Promise: script/integrity
/** Subresource integrity: the published hash lets the script-tag file run, and one flipped byte stops it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordFigure } from '../../scripts/proof.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'

const dist = join(import.meta.dirname, '..', '..', 'packages', 'loader', 'dist')
const script = (): Buffer => readFileSync(join(dist, 'purchase-widget.js'))

test('the file with its published hash runs, and with one flipped byte it does not', {
  tag: oneEngine,
}, async ({ shopper, merchant }) => {
  const manifest = JSON.parse(readFileSync(join(dist, 'integrity.json'), 'utf8')) as Record<string, string>
  const flipped = script()
  const middle = Math.floor(flipped.length / 2)
  flipped[middle] = (flipped[middle] ?? 0) ^ 1
  merchant.intercept(({ url }, response) => {
    if (url !== '/cdn/good.js' && url !== '/cdn/flipped.js') return false
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(url === '/cdn/good.js' ? script() : flipped)
    return true
  })
  const page = (file: string): { body: string } => ({
    body: `<script src="/cdn/${file}" integrity="${manifest['purchase-widget.js']}" crossorigin="anonymous"></script><h1>Shop</h1>`,
  })
  merchant.page('/good', page('good.js'))
  merchant.page('/flipped', page('flipped.js'))

  const runs = async (path: string): Promise<boolean> =>
    (await shopper.visit(merchant.url + path)).page.evaluate(() => 'PurchaseWidget' in window)
  expect(await runs('/good')).toBe(true)
  expect(await runs('/flipped')).toBe(false)
  recordFigure(
    `script with its integrity hash, ${shopper.engine}`,
    'runs; with one flipped byte it is refused',
  )
})
