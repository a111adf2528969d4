// Promise: link/refused
/** A ticket that the companion refuses, on its own page in the widget's place. */
import { expect, onTestFinished, test } from 'vitest'
import { createCompanion, find, makeWidget, reaches } from './page.ts'

for (const mode of ['modal', 'popup'] as const)
  test(`${mode}: Try again on the page of a refusal begins anew in the same place`, async () => {
    const opened: Window[] = []
    const { open } = window
    window.open = (...parameters) => {
      const view = open.apply(window, parameters)
      if (view) opened.push(view)
      return view
    }
    onTestFinished(() => {
      window.open = open
      for (const view of opened) view.close()
    })
    const companion = await createCompanion({ refusesTickets: true })
    const widget = makeWidget({ companion: companion.url, mode })
    widget.open()
    const page = (): Document | null | undefined =>
      mode === 'popup' ? opened[0]?.document : find<HTMLIFrameElement>('iframe').contentDocument
    await expect.poll(() => page()?.title).toBe('Refused')
    await companion.set({ refusesTickets: false })
    page()?.querySelector('button')?.click()
    await expect.poll(async () => (await companion.state()).launches).toBe(2)
    await reaches(widget, 'loaded')
    expect((await companion.state()).tokens).toBe(2)
    expect(opened).toHaveLength(mode === 'popup' ? 1 : 0)
  })
