/**
 * Creates the pictures in README.md and docs/sandbox.md from the running demo: a purchase in the shop, and the sandbox's console.
 *
 *     npm run pictures --prefix apps/demo
 *
 * Run it after changing either, and inspect the result.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createControl } from '@purchase-widget/sandbox/testing'
import type { Page } from 'playwright'
import { startChromium } from '../../../scripts/browsers.ts'
import { startDemo } from '../server/startDemo.ts'

/** Size of the animation, which is displayed at two thirds of it. */
const size = { width: 1280, height: 800 }
/** Seconds per frame. */
const SECONDS = 2.5
/** Maximum size in bytes for a README. */
const HEAVIEST = 500_000

/** A purchase on the first screen, as a visitor sees it: one frame for each moment. */
async function takeFrames(page: Page, url: string): Promise<Buffer[]> {
  const frames: Buffer[] = []
  const keep = async (): Promise<void> => {
    await page.evaluate('document.fonts.ready')
    frames.push(await page.screenshot())
  }
  const widget = page.frameLocator('iframe')
  await page.goto(`${url}/?redirectPage=new`)
  await keep()
  await page.getByRole('button', { name: /^Buy/ }).click()
  await widget.getByLabel('Card number').waitFor()
  await page.mouse.move(0, 0)
  await keep()
  await widget.getByLabel('Email').fill('ada@example.com')
  await widget.getByLabel('Card number').fill('4242 4242 4242 4242')
  await widget.getByLabel('Expiry date').fill('12/34')
  await widget.getByLabel('Security code').fill('123')
  await keep()
  await widget.getByRole('button', { name: /^Pay/ }).click()
  await page.getByTestId('purchase-result').waitFor()
  // The webhook arrives slightly before or after.
  await page.getByText('Delivers', { exact: true }).waitFor()
  await keep()
  return frames
}

/** The console after a typical morning of a shop. */
async function takeConsole(page: Page, controlUrl: string): Promise<Buffer> {
  const sandbox = createControl(controlUrl)
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
    await sandbox.buy({ email: `${shopper}@example.com`, card_number, params })
  }
  await sandbox.switches.set({ expiryResponse: 'nested' })
  await sandbox.faults.set({ operation: 'getTransaction', kind: 'status', status: 503, count: 3 })
  await sandbox.clock.advance('3 days')
  await page.setViewportSize({ width: 1120, height: 640 })
  await page.goto(`${controlUrl}/#/orders`)
  await page.getByRole('region', { name: 'Clock' }).waitFor()
  return page.screenshot()
}

/** Encodes pictures as WebP data URLs, with the browser as the encoder, in a page without a policy. */
async function encode(page: Page, pictures: readonly Buffer[]): Promise<string[]> {
  await page.goto('about:blank')
  return page.evaluate(`Promise.all(${JSON.stringify(pictures.map((picture) => picture.toString('base64')))}.map(
    async (source) => {
      const image = new Image()
      image.src = 'data:image/png;base64,' + source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.8)
    },
  ))`)
}
/** Shows the frames in a loop; with reduced motion, only the last one. */
function animate(frames: readonly string[], { width, height }: typeof size): string {
  const share = 100 / frames.length
  const images = frames.map(
    (frame, index) =>
      `<image href="${frame}" width="${width}" height="${height}" style="animation-delay:${(index * SECONDS).toFixed(1)}s"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A purchase in the demo shop">
<style>
image{clip-path:inset(0 round 14px)}
@media(prefers-reduced-motion:no-preference){image{opacity:0;animation:turn ${frames.length * SECONDS}s infinite step-end}}
@keyframes turn{0%{opacity:1}${share}%{opacity:0}}
</style>
${images.join('\n')}
</svg>
`
}

const images = join(import.meta.dirname, '../../../docs/images')
const demo = await startDemo({ port: 0 })
const browser = await startChromium()
try {
  const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' })
  const shown = await takeFrames(page, demo.url)
  demo.sandbox.reset()
  const shownConsole = await takeConsole(page, demo.sandbox.urls.controlUrl)
  const [consolePicture = '', ...frames] = await encode(page, [shownConsole, ...shown])
  writeFileSync(join(images, 'console.webp'), Buffer.from(consolePicture.replace(/^.*,/, ''), 'base64'))
  const picture = animate(frames, size)
  if (picture.length > HEAVIEST) throw new Error(`The picture has ${picture.length} bytes.`)
  writeFileSync(join(images, 'demo.svg'), picture)
} finally {
  await browser.close()
  await demo.close()
}
