/** The first guard: what is known of a request without asking anybody. */
import { readingAs } from '../reads/turns.ts'
import { checkShopper } from './authorise.ts'
import type { createMountCheck } from './causes.ts'
import { type Ctx, type Guard, given } from './context.ts'
import { networkOf } from './limits.ts'
import type { CompanionOptions, RequestInfo } from './options.ts'
import { mountOf, splitAddress } from './paths.ts'
import type { Services } from './services.ts'
import { type BelievedFor, urlOf } from './setting.ts'

interface RequestContext {
  options: Pick<CompanionOptions, 'url' | 'authorize'>
  originsOf: (url: () => string) => readonly string[]
  believedFor: BelievedFor
  warnOfMount: ReturnType<typeof createMountCheck>
  services: () => Services
}

export const setContext =
  ({ options, originsOf, believedFor, warnOfMount, services }: RequestContext): Guard =>
  async (c, next) => {
    const info = infoOf(c)
    c.set('info', info)
    c.set('network', info.address ? networkOf(info.address) : null)
    const { origin, pathname } = splitAddress(c.req.url)
    const mount = mountOf(pathname)
    // No route: it is answered 404, and nothing is learnt of where the companion is.
    if (mount === null) return next()
    const url = (): string => urlOf(options.url, origin + mount)
    warnOfMount(c.req.raw, info, mount, believedFor)
    c.set('url', url)
    c.set('origins', () => originsOf(url))
    c.set('services', services)
    c.set('identifyCaller', async () => checkShopper(await options.authorize(c.req.raw, info.context)))
    c.set('keepAwake', (work, queue) => {
      const { keep, idle } = services().fulfilment
      const kept = keep(work)
      // Waited for only where somebody asks: on a busy server there is always something left, and all who wait would be kept.
      info.waitUntil?.(kept.then(() => idle(queue)))
    })
    await readingAs({ network: c.var.network ?? '' }, next)
  }

/** In a Hono app of the merchant's `authorize` gets its context, with what their middleware has set. */
function infoOf(c: Ctx): RequestInfo {
  return c.env?.[given] ?? { address: c.var.callerAddress, context: c, waitUntil: waitUntilOf(c) }
}

function waitUntilOf(c: Ctx): RequestInfo['waitUntil'] {
  try {
    const { executionCtx } = c
    return (work) => executionCtx.waitUntil(work)
  } catch {
    // Hono has none where the runtime has none.
    return undefined
  }
}
