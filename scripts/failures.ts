/**
 * Writes docs/failures.md and its pictures: what shopper and developer get in every failure and mode, as the scenarios have just seen it in
 * three engines.
 *
 *     node scripts/failures.ts
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumLaunch } from './browsers.ts'
import { execute, playwright, run } from './runners.ts'

const root = join(import.meta.dirname, '..')
const figures = join(root, '.cache', 'evidence.jsonl')
const taken = join(root, '.cache', 'failures')
const pictures = join(root, 'docs', 'images', 'failures')
const scenarios = ['tokenFailures', 'widgetFailures', 'scriptFailures', 'serviceFailures']
const modes = ['iframe', 'modal', 'popup', 'redirect']
const engines = ['chromium', 'firefox', 'webkit']
const names: Record<string, string> = { chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' }

interface Cell {
  failure: string
  mode: string
  engine: string
  shopper: string
  developer: string
  when: string
}

function readCells(): Cell[] {
  const lines = readFileSync(figures, 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as { claim: string; figure: string })
    .flatMap(({ claim, figure }) => {
      const [, failure, mode, engine] = /^failure: (.*), (\w+), (\w+)$/.exec(claim) ?? []
      return failure && mode && engine ? [{ failure, mode, engine, ...JSON.parse(figure) } as Cell] : []
    })
    .sort((a, b) => places(a) - places(b) || a.failure.localeCompare(b.failure))
}

/** In the order of a purchase, then by mode and engine. */
const order = [
  /^the token/,
  /^the widget/,
  /^the page/,
  /^the browser/,
  /^the script|^JavaScript/,
  /^the service/,
]
const places = ({ failure, mode, engine }: Cell): number =>
  order.findIndex((group) => group.test(failure)) * 100 + modes.indexOf(mode) * 10 + engines.indexOf(engine)

/** One line for everything that is said alike, with the modes, and the engines where they differ. */
function linesOf(cells: Cell[]): string[] {
  const alike = new Map<string, Cell[]>()
  for (const cell of cells) {
    const text = [cell.shopper, cell.when, cell.developer].join(' | ')
    alike.set(text, [...(alike.get(text) ?? []), cell])
  }
  const whole = new Set(cells.map(({ mode, engine }) => `${mode} ${engine}`))
  return [...alike].map(([text, group]) => {
    const where = modes.flatMap((mode) => {
      const here = group.filter((cell) => cell.mode === mode).map(({ engine }) => engine)
      const all = engines.filter((engine) => whole.has(`${mode} ${engine}`))
      if (here.length === 0) return []
      return here.length === all.length ? [mode] : [`${mode} (${here.map((each) => names[each]).join(', ')})`]
    })
    return `${where.join(', ')} | ${text}`
  })
}

const fileOf = (failure: string): string =>
  `${failure.replaceAll(/[^a-z0-9]+/gi, '-').replace(/-$/, '')}.webp`

function page(cells: Cell[], failures: string[]): string {
  const rows = failures.flatMap((failure) =>
    linesOf(cells.filter((cell) => cell.failure === failure)).map((line, index) =>
      `| ${index === 0 ? failure : ''} | ${line} |`.replaceAll('|  |', '| |'),
    ),
  )
  const shown = failures.map(
    (failure) => `| ${failure} | ![${failure}](images/failures/${fileOf(failure)}) |`,
  )
  return `# When something fails

What shopper and developer get in ${failures.length} failures, in every mode that a failure can meet, in Chromium, Firefox and WebKit. \`node scripts/failures.ts\` goes through all of
them, and writes this page and its pictures; it is not edited by hand. A way on is a button in brackets. \`loadTimeout\` is 15 s unless you set
it. The developer reads the code and the message of the \`error\` event, or, where nobody listens, in the console.

A policy for frames does not meet windows, nor a blocked window frames. What a browser reports as loaded, an error page too, is never covered: the way on
is beside it.

| what fails | modes | the shopper reads, and can do | when | the developer reads |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Pictures

In the dialog, or where the failure meets windows alone in the popup's page, at 640 × 760, in Chromium.

| what fails | what the shopper sees |
| --- | --- |
${shown.join('\n')}
`
}

/** WebP is a fifth of the PNG. The browser does the encoding. */
async function keepPictures(failures: string[]): Promise<void> {
  const launch = chromiumLaunch()
  if (!launch) throw new Error('There is no Chromium on this machine.')
  mkdirSync(pictures, { recursive: true })
  for (const old of readdirSync(pictures)) rmSync(join(pictures, old))
  const browser = await chromium.launch(launch)
  const page = await browser.newPage()
  for (const failure of failures) {
    const source = ['modal', 'popup', 'iframe']
      .map((mode) => join(taken, `${failure}, ${mode}.png`))
      .find(existsSync)
    if (!source) throw new Error(`There is no picture of: ${failure}.`)
    const address = await page.evaluate<string>(toWebp(readFileSync(source).toString('base64')))
    writeFileSync(join(pictures, fileOf(failure)), Buffer.from(address.replace(/^.*,/, ''), 'base64'))
  }
  await browser.close()
}

/** Source for a page: a PNG, as the address of a WebP. */
const toWebp = (png: string): string => `(async () => {
  const image = new Image()
  image.src = 'data:image/png;base64,${png}'
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.75)
})()`

for (const path of [figures, taken]) rmSync(path, { force: true, recursive: true })
if ((await execute('node', ['scripts/build.ts', '--stale'])) !== 0) throw new Error('The build failed.')
const runner = playwright('failures', 'e2e/playwright.config.ts', ...scenarios)
const { failed, skipped } = await run(runner, { EVIDENCE: 'full', ENGINES: 'all' })
if (failed + skipped > 0) throw new Error(`${failed} failed, ${skipped} skipped: nothing is written.`)
const cells = readCells()
const failures = [...new Set(cells.map(({ failure }) => failure))]
await keepPictures(failures)
writeFileSync(join(root, 'docs', 'failures.md'), page(cells, failures))
console.log(`docs/failures.md: ${failures.length} failures, ${cells.length} cells.`)
