import { type Browser, chromium } from 'playwright'
import { chromiumLaunch } from '../../../scripts/browsers.ts'

/** @throws Error when this machine has no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const options = chromiumLaunch()
  if (!options)
    throw new Error('There is no Chromium on this machine: run `playwright install chromium` first.')
  return chromium.launch(options)
}
