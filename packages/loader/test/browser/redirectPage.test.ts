// Promise: loader/redirect-page
/** Either the loader or the widget opens the tab for the return page, never both. */
import { expect, test, vi } from 'vitest'
import type { PurchaseWidgetOptions } from '../../src/index.ts'
import { parseOptions } from '../../src/opening/options.ts'
import { takeTarget } from '../../src/opening/target.ts'
import type { Mode, RedirectPage } from '../../src/types.ts'
import { addContainer, createCompanion, makeWidget } from './page.ts'

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
const said: readonly (RedirectPage | undefined)[] = [undefined, 'self', 'new']
const cases = modes.flatMap((mode) => said.map((redirectPage) => ({ mode, redirectPage })))

const optionsOf = ({ mode, redirectPage }: (typeof cases)[number]): PurchaseWidgetOptions =>
  ({
    widgetUrl: 'https://widget.example',
    // Never resolves: a redirect would leave this page.
    accessToken: () => new Promise<string>(() => {}),
    mode,
    ...(mode === 'iframe' && { container: addContainer() }),
    redirectPage,
  }) as PurchaseWidgetOptions

/** The `redirect_page` in the widget's address. */
const saysTo = async (options: PurchaseWidgetOptions, mode: Mode): Promise<string | null> =>
  new URL((await takeTarget(parseOptions(options), mode, false)).url).searchParams.get('redirect_page')

test.each(cases)('%j: either the loader or the widget opens the tab, or neither does', async (each) => {
  const options = optionsOf(each)
  const says = await saysTo({ ...options, accessToken: 't' } as PurchaseWidgetOptions, each.mode)
  const open = vi.spyOn(window, 'open')
  makeWidget(options).open()
  const windows = open.mock.results.map(({ value }) => value as Window)
  open.mockRestore()
  for (const view of windows) view.close()
  if (each.mode === 'redirect') {
    expect(says).toBe('self')
    expect(windows).toHaveLength(each.redirectPage === 'new' ? 1 : 0)
  } else {
    expect(says).toBe(each.redirectPage ?? 'self')
    expect(windows).toHaveLength(each.mode === 'popup' ? 1 : 0)
  }
})

test('the companion receives the requested surface and redirect page', async () => {
  for (const { mode, redirectPage } of cases) {
    const companion = await createCompanion()
    const container = mode === 'iframe' && { container: addContainer() }
    const options = { companion: companion.url, mode, ...container, redirectPage } as PurchaseWidgetOptions
    await takeTarget(parseOptions(options), mode, false)
    expect((await companion.state()).asked).toMatchObject([
      { surface: mode, redirectPage: redirectPage ?? 'self' },
    ])
  }
})
