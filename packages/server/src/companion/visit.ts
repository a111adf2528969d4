/** What a route is given of one request. */
import { authorise } from './authorise.ts'
import type { Visit } from './context.ts'
import { originOf } from './guard.ts'
import { networkOf } from './network.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import type { Route } from './routeTable.ts'

interface Arrival
  extends Pick<Visit, 'request' | 'id' | 'url' | 'origins' | 'services'>,
    Pick<CompanionOptions, 'authorize'> {
  info: RequestInfo
  route: Route
}

export function visitOf({ request, id, url, origins, services, authorize, info, route }: Arrival): Visit {
  const network = info.address ? networkOf(info.address) : null
  return {
    request,
    id,
    url,
    origins,
    allowsReturnTo: (address) => origins().includes(originOf(address)),
    services,
    authorise: () =>
      authorise(authorize, {
        request,
        route,
        origins: { allowed: origins(), own: () => originOf(url()) },
        network,
        limits: services().limits,
      }),
    limitStranger: async () => services().limits.refused(`${route.path} ${network ?? shareOf(id)}`),
    keepAwake(work, lane) {
      const { keep, idle } = services().fulfilment
      const kept = keep(work)
      // Waited for only where somebody asks: on a busy server there is always something left, and all who wait would be kept.
      info.waitUntil?.(kept.then(() => idle(lane)))
    },
  }
}

/** Where callers have no address, each shares an allowance with few others: nobody uses up everybody's, nor fills the store with keys. */
const shareOf = (purchaseId: string): string => `id ${purchaseId.slice(0, 2)}`
