/**
 * Takes the picture of the console in docs/sandbox.md.
 *
 *     node packages/sandbox/test/widget/screenshots.ts
 *
 * Run it after a change of the console, and look at what it made.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openShop } from './shop.ts'

const shop = await openShop()
try {
  await fillSandbox()
  await shop.useProfile({
    viewport: { width: 1120, height: 640 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await shop.page.goto(`${shop.sandbox.urls.controlUrl}/#/orders`)
  await shop.page.getByRole('region', { name: 'Clock' }).waitFor()
  const png = await shop.page.screenshot({ caret: 'hide' })
  await writeFile(join(import.meta.dirname, '../../../../docs/images/console.webp'), await toWebp(png))
} finally {
  await shop.close()
}

/** WebP is a fifth of the PNG. The browser does the encoding, in a page that no policy binds. */
async function toWebp(png: Buffer): Promise<Buffer> {
  const page = await shop.context.newPage()
  const address = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.75)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await page.close()
  return Buffer.from(address.replace(/^.*,/, ''), 'base64')
}

/** A morning in the life of a shop. */
async function fillSandbox(): Promise<void> {
  const purchases = [
    ['ada', 'gold-1200', '4242424242424242'],
    ['grace', 'club-monthly', '4242424242424242'],
    ['alan', 'skin-aurora', '4000000000004004'],
    ['alan', 'skin-aurora', '4242424242424242'],
    ['edsger', 'btc', '4242424242424242'],
    ['barbara', 'season-pass', '4000000000004001'],
    ['barbara', 'season-pass', '4242424242424242'],
  ] as const
  for (const [shopper, product_id, card_number] of purchases) {
    const params = { product_id, custom_id: `player-${shopper}` }
    await shop.sandbox.buy({ email: `${shopper}@example.com`, card_number, params })
  }
  await shop.sandbox.switches.set({ expiryResponse: 'nested' })
  await shop.sandbox.faults.set({ operation: 'getTransaction', kind: 'status', status: 503, count: 3 })
  await shop.sandbox.clock.advance('3 days')
}
