/**
 * In the node environment: that of a browser gets the build which refuses to be in one.
 *
 * @jest-environment node
 * @vitest-environment node
 */
// Promise: outside/projects
import { createCompanion, memoryStore } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'

test('a shop tests its companion and its store in Jest and Vitest', async () => {
  const companion = createCompanion({ store: memoryStore(), authorize: () => null, onOrder() {} })
  const url = 'https://shop.example/api/purchase-widget/orders'
  expect((await companion.fetch(new Request(url))).status).toBe(401)
  const store = sqliteStore(':memory:')
  await store.set('key', 'value', null)
  expect(await store.get('key')).toMatchObject({ value: 'value' })
  await Promise.all([companion.close(), store.close()])
})
