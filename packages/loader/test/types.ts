/** Combinations that must not compile. Checked by `tsc -b`. */
import { createPurchaseWidget, type PurchaseResult } from '../src/index.ts'

export const compiles = [
  () => createPurchaseWidget({ companion: '/c' }),
  () => createPurchaseWidget({ widgetUrl: 'https://w.example', accessToken: async () => 't' }),
  () => createPurchaseWidget({ widgetUrl: 'https://w.example', launchUrl: '/l', confirm: async () => null }),
  // @ts-expect-error no token source
  () => createPurchaseWidget({}),
  // @ts-expect-error two token sources
  () => createPurchaseWidget({ companion: '/c', launchUrl: '/l' }),
  // @ts-expect-error the companion says where the widget is
  () => createPurchaseWidget({ companion: '/c', widgetUrl: 'https://w.example' }),
  // @ts-expect-error a token needs the widget's address
  () => createPurchaseWidget({ accessToken: 't' }),
  // @ts-expect-error the companion confirms
  () => createPurchaseWidget({ companion: '/c', confirm: async () => null }),
  // @ts-expect-error no such mode
  () => createPurchaseWidget({ companion: '/c', mode: 'window' }),
  // @ts-expect-error a closed widget is neither verified nor not
  (result: PurchaseResult) => result.status === 'closed' && result.verified,
]
