/**
 * Follows docs/start-express.md to the letter, command by command, in an empty folder with an empty home, up to a purchase that is delivered.
 *
 *     node scripts/evidence.ts quickstart
 *
 * The packages are not published: a registry of this machine has them as they would be.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../../scripts/browsers.ts'
import { recordFigure } from '../../scripts/proof.ts'
import { none } from '../../scripts/tally.ts'
import { codeWith } from '../fixtures/documents.ts'
import { buyWith, declineWith } from './buy.ts'
import { type Running, run, start } from './commands.ts'
import { startRegistry } from './registry.ts'

const root = join(import.meta.dirname, '..', '..')
const guide = 'docs/start-express.md'
const site = mkdtempSync(join(tmpdir(), 'quickstart-'))
const [shopFolder, home, tarballs] = ['shop', 'home', 'tarballs'].map((name) => join(site, name)) as [
  string,
  string,
  string,
]
for (const folder of [shopFolder, home, tarballs]) mkdirSync(folder)
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const launch = chromiumLaunch()
if (!launch) throw new Error('Chromium is not on this machine.')

// Sources as they are, built and packed as for a release.
execFileSync('node', ['scripts/build.ts', '--stale'], { cwd: root, stdio: 'inherit' })
const pack = ['--filter', './packages/*', 'pack', '--out', join(tarballs, '%s.tgz')]
execFileSync('npx', ['-y', packageManager, ...pack], { cwd: root })
const registry = await startRegistry(tarballs)
// The home is empty but for how this machine reaches the registry, and where our scope is.
const setting = (name: string): string =>
  execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const cafile = process.env.NODE_EXTRA_CA_CERTS ?? setting('cafile')
writeFileSync(
  join(home, '.npmrc'),
  [
    `registry=${setting('registry')}`,
    `@purchase-widget:registry=${registry.url}`,
    ...(cafile === 'null' ? [] : [`cafile=${cafile}`]),
    '',
  ].join('\n'),
)
const where = { cwd: shopFolder, env: { HOME: home } }
/** A line of the guide, as a shell takes it. */
const type = (line: string): Promise<string> => run('sh', ['-c', line], where)

/** What the guide says to start; the line has to stand there. */
function begin(line: string, isUp: (output: string) => boolean): Promise<Running> {
  if (!readFileSync(join(root, guide), 'utf8').includes(line))
    throw new Error(`${guide} has no line: ${line}`)
  return start('sh', ['-c', line], where, isUp)
}

const running: Running[] = []
const browser = await chromium.launch(launch)
try {
  const sandbox = await begin(
    'npx -p @purchase-widget/sandbox purchase-widget-sandbox --db sandbox.sqlite',
    (output) => output.includes('Ctrl-C stops it.'),
  )
  running.push(sandbox)
  const lines = sandbox.output().match(/^PURCHASE_\w+=.*$/gm) ?? []
  const added =
    codeWith(guide, 'PURCHASE_COMPANION_URL').match(/^(PURCHASE_COMPANION_URL|SESSION_SECRET)=.*$/gm) ?? []
  writeFileSync(join(shopFolder, '.env'), [...lines, ...added, ''].join('\n'))

  for (const line of codeWith(guide, 'npm init').trim().split('\n')) await type(line)
  writeFileSync(join(shopFolder, 'shop.ts'), codeWith(guide, 'toNodeHandler(companion'))
  mkdirSync(join(shopFolder, 'public'))
  for (const page of ['index.html', 'thanks.html'])
    writeFileSync(join(shopFolder, 'public', page), codeWith(guide, '<!doctype html>'))
  const shop = await begin(codeWith(guide, 'shop.ts\n').trim(), (output) =>
    output.includes('http://localhost:3000'),
  )
  running.push(shop)

  const widgetUrl = `${lines.find((line) => line.startsWith('PURCHASE_WIDGET_URL='))}`.replace(/^.*?=/, '')
  const visit = {
    name: 'quickstart',
    url: 'http://localhost:3000',
    sale: { click: 'link' },
    output: shop.output,
  } as const
  await declineWith(browser, widgetUrl)(visit)
  await buyWith(browser, widgetUrl)(visit)
  const said = await type(codeWith(guide, 'doctor').trim())
  if (!/webhook/i.test(said)) throw new Error(`The doctor does not print the webhook's address:\n${said}`)
  recordFigure(
    'The start page for Express, followed to the letter in an empty folder with an empty home',
    'a declined purchase without thanks, and a delivered one',
  )
  writeFileSync(join(root, '.cache', 'test', 'quickstart.json'), JSON.stringify({ ...none, passed: 1 }))
  console.log(
    'A declined purchase without thanks, and a delivered one, with what the page says and nothing else.',
  )
} finally {
  await browser.close()
  for (const program of running.reverse()) await program.stop()
  await registry.close()
  rmSync(site, { recursive: true, force: true })
}
