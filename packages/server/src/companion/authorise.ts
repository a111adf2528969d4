/** What a shopper's request must prove: where it comes from, who asks, and that it is not one too many. */
import { type Asker, idOf } from '../purchase/shopper.ts'
import { Refusal } from './answer.ts'
import { checkFetchSite, checkOrigin, type Origins } from './guard.ts'
import type { Limiter } from './limits.ts'
import { checkNavigation } from './navigation.ts'
import { openedBy } from './openedBy.ts'
import type { CompanionOptions } from './options.ts'
import type { Route } from './routeTable.ts'
import { checkShopper } from './shopper.ts'

export interface Call {
  request: Request
  route: Pick<Route, 'method' | 'path' | 'navigable'>
  origins: Origins
  /** Null when the runtime does not say. */
  network: string | null
  limits: Readonly<Record<'shopper' | 'address', Limiter>>
}

/**
 * Rejects with a `Refusal`. The limits count shoppers alone, and each route for itself. Navigations that another site began have an allowance of
 * their own, so that nobody else can use up the shopper's.
 */
export async function authorise(
  ask: CompanionOptions['authorize'],
  { request, route, origins, network, limits }: Call,
): Promise<Asker> {
  if (route.method === 'POST') checkOrigin(request, origins)
  else if (route.navigable) checkNavigation(request, origins)
  else checkFetchSite(request, origins.allowed)
  const asker = await checkShopper(await ask(request)).catch((error: unknown) => {
    // A sign-in page is for a window; a script reads the refusal.
    if (error instanceof Refusal && !route.navigable) throw new Refusal(error.code, error.message)
    throw error
  })
  const counted = allowanceOf(request, route)
  await limits.shopper(`${counted} ${idOf(asker.shopper)}`)
  if (network !== null) await limits.address(`${counted} ${network}`)
  return asker
}

/** A page that begins purchases has an allowance apart from links, which anybody may have written. */
function allowanceOf(request: Request, { method, path }: Call['route']): string {
  if (openedBy(request) === 'other_site') return `${path} other_site`
  return method === 'POST' ? `POST ${path}` : path
}
