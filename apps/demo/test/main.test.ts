import { createSandbox } from '@purchase-widget/sandbox'
import { expect, test } from 'vitest'
import { settingsOf } from './service.ts'
import { runToEnd, startProcess } from './shopProcess.ts'

test('the command prints one address, and Ctrl-C stops everything', async () => {
  const shop = await startProcess(['--port', '0'])
  expect((await fetch(shop.url)).status).toBe(200)
  shop.signal('SIGINT')
  const { code, output } = await shop.ended
  expect(code).toBe(0)
  expect(output.match(/http:\/\/\S+/g)).toEqual([shop.url])
  await expect(fetch(shop.url)).rejects.toThrow()
})

test('some of the service’s settings without the others is an error that names the missing ones', async () => {
  const { code, output } = await runToEnd(['--port', '0'], {
    PURCHASE_WIDGET_URL: 'https://widget.example',
    PURCHASE_API_KEY: 'canary-key',
  })
  expect(code).toBe(1)
  expect(output).toContain('set PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_SECRET_KEY')
  expect(output).not.toContain('canary-key')
})

test('with all of them set the shop sells through that service', async () => {
  const service = await createSandbox()
  const shop = await startProcess(['--port', '0'], settingsOf(service))
  try {
    const policy = (await fetch(shop.url)).headers.get('content-security-policy')
    expect(policy).toContain(service.urls.widgetUrl)
    expect((await fetch(`${shop.url}/api/shop/troubles`)).status).toBe(404)
  } finally {
    shop.signal('SIGINT')
    await shop.ended
    await service.close()
  }
})
