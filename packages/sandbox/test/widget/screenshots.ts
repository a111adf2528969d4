/**
 * Takes the pictures of docs/images/widget: every step of the widget page, on a phone, dark, and on a desktop.
 *
 *     node packages/sandbox/test/widget/screenshots.ts
 *
 * Run it after a change of the page, and look at what it made.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { openShop } from './shop.ts'
import { steps } from './steps.ts'

const folder = join(import.meta.dirname, '../../../../docs/images/widget')

const phone = { width: 360, height: 640 }
const looks = {
  phone: { viewport: phone, colorScheme: 'light' },
  dark: { viewport: phone, colorScheme: 'dark' },
  desktop: { viewport: { width: 960, height: 640 }, colorScheme: 'light' },
} as const

await mkdir(folder, { recursive: true })
const shop = await openShop()
try {
  for (const [look, options] of Object.entries(looks)) {
    for (const [step, reach] of Object.entries(steps)) {
      shop.sandbox.reset()
      await shop.useProfile({ ...options, reducedMotion: 'reduce' })
      await reach(shop)
      const name = `${step.replaceAll(' ', '-')}-${look}.webp`
      await writeFile(join(folder, name), await takePicture(shop.page))
      console.log(name)
    }
  }
} finally {
  await shop.close()
}

/** As WebP, which is a fifth of the PNG; the browser does the encoding, in a page that no policy binds. */
async function takePicture(page: Page): Promise<Buffer> {
  const png = await page.screenshot({ caret: 'hide' })
  const encoder = await shop.context.newPage()
  const address = await encoder.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.85)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await encoder.close()
  return Buffer.from(address.replace(/^.*,/, ''), 'base64')
}
