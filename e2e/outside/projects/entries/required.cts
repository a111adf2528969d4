/** What a shop in CommonJS writes. */
import { createCompanion } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'

export const companion = createCompanion({
  store: sqliteStore('purchases.sqlite'),
  authorize: (request) => ({ customId: request.headers.get('x-shopper') ?? 'guest' }),
  onOrder: ({ order }) => console.log(order.id),
})
