/** The whole integration of this merchant's server: who is asking, what is sold, and what to deliver. */
import {
  type Companion,
  createCompanion,
  type OnOrder,
  type PurchaseClient,
  type Store,
} from '@purchase-widget/server'
import { createPurchase } from './createPurchase.ts'
import type { Shoppers } from './shopper.ts'
import type { WidgetUsers } from './widgetUsers.ts'

export interface CompanionParts {
  url: string
  client: PurchaseClient
  store: Store
  shoppers: Shoppers
  users: WidgetUsers
  onOrder: OnOrder
}

export function createShopCompanion({
  url,
  client,
  store,
  shoppers,
  users,
  onOrder,
}: CompanionParts): Companion {
  return createCompanion({
    url: `${url}/api/purchase-widget`,
    client,
    store,
    // For the choice "In page", where the page builds the widget's address itself.
    pageToken: true,
    async authorize(request) {
      const shopper = await shoppers.recognise(request)
      if (shopper)
        return { customId: shopper.id, formerly: shopper.formerly, userId: users.userIdOf(shopper.id) }
      // A link of somebody without a session leads to the shop, not to an error.
      const isLink = request.method === 'GET' && new URL(request.url).pathname.endsWith('/launch')
      return isLink ? Response.redirect(url, 303) : null
    },
    createPurchase,
    onOrder,
    onUser({ user_id }, { customId }) {
      if (customId) users.remember(customId, user_id)
    },
    // The story shows each failed call; the terminal is for what the visitor has to know.
    onError: () => {},
  })
}
