/** Runs axe on a document; the evidence run also takes a picture for visual review. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { full, recordFigure } from '../../scripts/proof.ts'
import { expect } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'

/**
 * @param surface the surface and its look.
 * @param without rules that do not apply there.
 */
export async function expectNoViolations(
  shopper: Shopper,
  tab: Tab,
  surface: string,
  without: readonly string[] = [],
): Promise<void> {
  const { page } = tab
  if (full) await keepPicture(shopper, tab, surface)
  await page.runScript(axe.source)
  const violations = await page.evaluate(async (without) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
    const { violations } = await axe.run(document, { iframes: false, rules })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, without)
  expect(violations, surface).toEqual([])
  recordFigure(`axe: ${surface}, ${shopper.engine}`, '0 violations')
}

async function keepPicture(shopper: Shopper, tab: Tab, surface: string): Promise<void> {
  const picture = await tab.screenshot()
  if (!picture) return
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'screenshots')
  mkdirSync(folder, { recursive: true })
  const name = `${surface}, ${shopper.engine}`.replaceAll(/[^a-z0-9]+/gi, '-')
  writeFileSync(join(folder, `${name}.png`), picture)
}
