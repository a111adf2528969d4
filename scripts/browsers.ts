/** Finds the browsers of this machine: Playwright's own where they are installed, else the system's. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Launch options that start Chromium here, or null when there is none. */
export function chromiumLaunch(): { executablePath: string; args: string[] } | null {
  const executablePath = [chromium.executablePath(), ...systemChromium].find(existsSync)
  if (!executablePath) return null
  // Chromium refuses to run sandboxed as root, which is what a container is.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return {
    executablePath,
    args: [...args, '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  }
}
