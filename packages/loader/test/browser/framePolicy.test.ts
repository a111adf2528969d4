// Promise: surface/frame-policy
/** A page whose policy allows only frames of its own origin. */
import { expect, test } from 'vitest'
import { addContainer, button, createCompanion, makeWidget, reaches, record } from './page.ts'

const policy = document.createElement('meta')
policy.httpEquiv = 'content-security-policy'
policy.content = "frame-src 'self'"

const violation = (origin: string, change: SecurityPolicyViolationEventInit = {}): Event =>
  new SecurityPolicyViolationEvent('securitypolicyviolation', {
    blockedURI: origin,
    disposition: 'enforce',
    effectiveDirective: 'frame-src',
    documentURI: location.href,
    originalPolicy: policy.content,
    statusCode: 200,
    violatedDirective: 'frame-src',
    ...change,
  })

test('a report-only violation, or one that does not concern the frame, does not cover the widget', async () => {
  const { url, widgetUrl } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  const errors = record(widget, 'error')
  widget.open()
  await reaches(widget, 'loaded')
  const { origin } = new URL(widgetUrl)
  document.dispatchEvent(violation(origin, { disposition: 'report' }))
  document.dispatchEvent(violation(origin, { effectiveDirective: 'img-src', violatedDirective: 'img-src' }))
  document.dispatchEvent(violation('https://other.example'))
  // Another port.
  document.dispatchEvent(violation(`${origin}0`))
  expect(() => button('Try again')).toThrow()
  expect(errors).toEqual([])
})

test('a return page that the policy blocks in the frame makes the page query the server', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const errors = record(widget, 'error')
  widget.open()
  await reaches(widget, 'loaded')
  const { reads } = await companion.state()
  document.dispatchEvent(violation(`${location.origin}/return/x`))
  await expect.poll(async () => (await companion.state()).reads).toBe(reads + 1)
  expect(errors).toEqual([])
})

test('a link that the policy blocks in the frame offers recovery actions', async () => {
  const { byLink } = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({ ...byLink, container: addContainer() })
  const errors = record(widget, 'error')
  widget.open()
  await reaches(widget, 'loading')
  document.dispatchEvent(violation(`${location.origin}/launch`))
  expect(button('Try again')).toBeTruthy()
  expect(errors.map(({ code }) => code)).toEqual(['frame_blocked'])
})

for (const preload of ['none', 'eager'] as const) {
  test(`a frame that the page's policy blocks offers recovery actions, even when the browser reports a load; preload ${preload}`, async () => {
    document.head.append(policy)
    const { url } = await createCompanion()
    const widget = makeWidget({ companion: url, container: addContainer(), preload })
    if (preload === 'eager')
      await new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', resolve, { once: true }),
      )
    const errors = record(widget, 'error')
    widget.open()
    await expect.poll(() => button('Try again')).toBeTruthy()
    expect(button('Open in a new window')).toBeTruthy()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(button('Try again')).toBeTruthy()
    expect(errors.map(({ code }) => code)).toEqual(['frame_blocked'])
  })
}
