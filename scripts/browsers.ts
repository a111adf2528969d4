/** Finds the installed browsers: Playwright's own Chromium if installed, else the system's. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright'

/** Launch options for Chromium, or null when it is not installed. */
export function chromiumLaunch(): { executablePath: string; args: string[] } | null {
  const executablePath = existsSync(chromium.executablePath())
    ? chromium.executablePath()
    : onPath('chromium', 'chromium-browser', 'google-chrome')
  if (!executablePath) return null
  // Chromium refuses to run sandboxed as root, the usual user in a container.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return {
    executablePath,
    args: [
      ...args,
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      `--disable-features=${[...suggestions, ...playwrightDisables].join()}`,
    ],
  }
}

/** @throws Error when Chromium is not installed. */
export async function startChromium(): Promise<Browser> {
  const options = chromiumLaunch()
  if (options) return chromium.launch(options)
  throw new Error('Chromium is not installed: run `npx playwright install chromium` first.')
}

/** The address bar's suggestions: an invisible web page per profile, which takes a third of a test's CPU time. */
const suggestions = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** Chromium reads only the last list, so this repeats Playwright's own. */
const playwrightDisables = [
  'AimEnabled',
  'AutoDeElevate',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

/** Launch options for the system's Firefox, or null when it is not installed. */
export function firefoxLaunch(): { executablePath: string; channel: 'moz-firefox' } | null {
  const executablePath = onPath('firefox-esr', 'firefox')
  return executablePath ? { executablePath, channel: 'moz-firefox' } : null
}

/** Programs needed to drive WebKit through WebDriver: paths of WebKitGTK's own driver and browser, and of a display server. */
export interface WebKitPrograms {
  driver: string
  browser: string
  xvfb: string
}

/** Null when one of them is missing. */
export function webkitPrograms(): WebKitPrograms | null {
  const driver = onPath('WebKitWebDriver')
  const browser = globSync('/usr/lib/{*/,}webkit2gtk-4.1/MiniBrowser')[0]
  const xvfb = onPath('Xvfb')
  return driver && browser && xvfb ? { driver, browser, xvfb } : null
}

function onPath(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/** Tries once, for a few minutes at most, to install Chromium: Debian's package as root, else Playwright's download. */
export function installChromium(): void {
  const aptGet = process.getuid?.() === 0 ? onPath('apt-get') : undefined
  if (aptGet) {
    console.log('Chromium is missing: installing the Debian package (as root, with apt-get).')
    attempt(aptGet, ['update', '-q'])
    attempt(aptGet, ['install', '-y', '-q', '--no-install-recommends', 'chromium'])
  } else {
    console.log('Chromium is missing: asking Playwright to download it.')
    attempt('playwright', ['install', 'chromium'])
  }
}

function attempt(command: string, args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 180_000,
    env,
  })
  if (status !== 0) console.log(`${command} ${args.join(' ')} did not succeed.`)
}
