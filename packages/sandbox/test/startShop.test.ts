/** The merchant's own server beside a sandbox, as a merchant's test starts it. */
import { expect, test } from 'vitest'
import { startShop } from '../src/testing/index.ts'

/** A command that runs this with Node. */
const node = (script: string): string => `"${process.execPath}" -e "${script}"`

const answering = node(
  "require('node:http').createServer((_, answer) => answer.end(JSON.stringify(process.env))).listen(process.env.PORT)",
)

test("the server gets a port of its own, the sandbox's address and the address of its companion", async () => {
  const { sandbox, shop } = await startShop({ command: answering, env: { GREETING: 'hello' } })
  expect(await (await fetch(shop.url)).json()).toMatchObject({
    PORT: new URL(shop.url).port,
    PURCHASE_COMPANION_URL: `${shop.url}/api/purchase-widget`,
    PURCHASE_WIDGET_URL: sandbox.urls.widgetUrl,
    PURCHASE_API_KEY: sandbox.credentials.apiKey,
    GREETING: 'hello',
  })
  await shop.close()
  await expect(fetch(shop.url)).rejects.toThrow()
  await sandbox.close()
})

test('a server that ends is reported at once, with what it wrote', async () => {
  const command = node("console.error('The database is missing.'); process.exitCode = 1")
  await expect(startShop({ command })).rejects.toThrow(
    /has ended, and does not answer at http:\/\/localhost:\d+.*\nThe database is missing/,
  )
})

test('a server that does not answer in time is reported with what it wrote', async () => {
  const command = node("console.log('Connecting to the database.'); setInterval(() => {}, 1_000)")
  await expect(startShop({ command }, {}, 5_000)).rejects.toThrow(
    /has not answered within 5 s at http:\/\/localhost:\d+.*\nConnecting to the database/,
  )
})
