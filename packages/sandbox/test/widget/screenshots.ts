/**
 * Takes the pictures of docs/images/widget: every step of the widget page, on a phone, dark, and on a desktop; and the console.
 *
 *     node packages/sandbox/test/widget/screenshots.ts
 *
 * Run it after a change of a page, and look at what it made.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright'
import { openShop } from './shop.ts'
import { steps } from './steps.ts'

const folder = join(import.meta.dirname, '../../../../docs/images/widget')

const phone = { width: 360, height: 640 }
const looks = {
  phone: { viewport: phone, colorScheme: 'light' },
  dark: { viewport: phone, colorScheme: 'dark' },
  desktop: { viewport: { width: 960, height: 640 }, colorScheme: 'light' },
} as const
const wide = { width: 1120, height: 640 }

await mkdir(folder, { recursive: true })
const shop = await openShop()
try {
  for (const [look, options] of Object.entries(looks)) {
    for (const [step, reach] of Object.entries(steps)) {
      shop.sandbox.reset()
      await picture(`${step.replaceAll(' ', '-')}-${look}`, options, () => reach(shop))
    }
  }
  shop.sandbox.reset()
  await fillSandbox()
  await picture('console-desktop', { viewport: wide, colorScheme: 'light' }, () => openConsole('orders'))
  await picture('console-dark', { viewport: wide, colorScheme: 'dark' }, () => openConsole('switches'))
  await picture('console-phone', { viewport: phone, colorScheme: 'light' }, () => openConsole('faults'))
} finally {
  await shop.close()
}

async function picture(
  name: string,
  options: BrowserContextOptions,
  reach: () => Promise<void>,
): Promise<void> {
  await shop.useProfile({ ...options, reducedMotion: 'reduce' })
  await reach()
  const png = await shop.page.screenshot({ caret: 'hide' })
  await writeFile(join(folder, `${name}.webp`), await toWebp(png))
  console.log(name)
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

async function openConsole(view: string): Promise<void> {
  await shop.page.goto(`${shop.sandbox.urls.controlUrl}/#/${view}`)
  await shop.page.getByRole('region', { name: 'Clock' }).waitFor()
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
    await shop.control('POST', 'purchases', { email: `${shopper}@example.com`, card_number, params })
  }
  await shop.control('PATCH', 'switches', { expiryResponse: 'nested' })
  await shop.control('POST', 'faults', { operation: 'getTransaction', kind: 'status', status: 503, count: 3 })
  await shop.control('POST', 'clock', { advanceSeconds: 3 * 24 * 3600 })
}
