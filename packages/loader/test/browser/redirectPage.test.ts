/** Who opens the tab for the return page: never both the loader and the widget. */
import { expect, test, vi } from 'vitest'
import { createPurchaseWidget, type PurchaseWidgetOptions } from '../../src/index.ts'
import { parseOptions } from '../../src/options.ts'
import { createTargets } from '../../src/token.ts'
import type { Mode, RedirectPage } from '../../src/types.ts'
import { addContainer, createCompanion, makeWidget } from './page.ts'

type Said = RedirectPage | undefined

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
const said: readonly Said[] = [undefined, 'self', 'new']
const cases = modes.flatMap((mode) =>
  said.flatMap((redirectPage) => said.map((redirect_page) => ({ mode, redirectPage, redirect_page }))),
)
const contradicts = ({ redirectPage, redirect_page }: { redirectPage: Said; redirect_page: Said }) =>
  redirectPage && redirect_page && redirectPage !== redirect_page

const optionsOf = ({ mode, redirectPage, redirect_page }: (typeof cases)[number]): PurchaseWidgetOptions => ({
  widgetUrl: 'https://widget.example',
  // Never comes: a redirect would leave this page.
  accessToken: () => new Promise<string>(() => {}),
  mode,
  ...(mode === 'iframe' && { container: addContainer() }),
  ...(redirectPage && { redirectPage }),
  ...(redirect_page && { params: { redirect_page } }),
})

/** What the address of the widget says. */
const saysTo = async (options: PurchaseWidgetOptions): Promise<string | null> =>
  new URL((await createTargets(parseOptions(options)).take()).url).searchParams.get('redirect_page')

test.each(cases.filter((each) => !contradicts(each)))(
  '%j: one of both opens the tab, or none',
  async (each) => {
    const wanted = each.redirectPage ?? each.redirect_page
    const options = optionsOf(each)
    const says = await saysTo({ ...options, accessToken: 't' } as PurchaseWidgetOptions)
    const open = vi.spyOn(window, 'open')
    makeWidget(options).open()
    const windows = open.mock.results.map(({ value }) => value as Window)
    open.mockRestore()
    for (const view of windows) view.close()
    if (each.mode === 'redirect') {
      expect(says).toBe('self')
      expect(windows).toHaveLength(wanted === 'new' ? 1 : 0)
    } else {
      expect(says).toBe(wanted ?? null)
      expect(windows).toHaveLength(each.mode === 'popup' ? 1 : 0)
    }
  },
)

test.each(cases.filter(contradicts))('%j is refused, and the error names both', (each) => {
  expect(() => createPurchaseWidget(optionsOf(each))).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringMatching(/redirectPage.*params\.redirect_page/),
    }),
  )
})

test.each(said)(
  "in mode redirect the widget opens no tab, also when the merchant's server says %s",
  async (page) => {
    const { url } = await createCompanion({ params: page ? { redirect_page: page } : {} })
    for (const redirectPage of ['self', 'new'] as const)
      expect(await saysTo({ companion: url, mode: 'redirect', redirectPage })).toBe('self')
  },
)
