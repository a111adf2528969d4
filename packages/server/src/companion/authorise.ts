/** What a shopper's request must prove: where it comes from, who asks, and that it is not one too many. */
import { type Caller, idOf } from '../purchase/shopper.ts'
import { readingAs } from '../reads/reader.ts'
import { Refusal } from './answer.ts'
import type { Ctx, Guard } from './context.ts'
import { checkFetchSite, checkOrigin, originOf } from './guard.ts'
import { checkNavigation, isByOwnPage } from './navigation.ts'
import { openedBy } from './openedBy.ts'

/**
 * Lets shoppers alone pass, and sets `caller`.
 *
 * @param allowance what its calls are counted by: each route has its own.
 */
export const shopperOnly =
  (allowance: string): Guard =>
  async (c, next) => {
    const caller = await authorise(c, allowance)
    c.set('caller', caller)
    await readingAs({ shopper: idOf(caller.shopper) }, next)
  }

/** Rejects with a `Refusal` when nobody is signed in, or when the call may not be made from where it was. */
export async function authorise(c: Ctx, allowance: string): Promise<Caller> {
  const { origins, url, identifyCaller } = c.var
  if (c.req.method === 'POST') {
    checkOrigin(c.req.raw, { allowed: origins(), own: () => originOf(url()) })
  } else checkFetchSite(c.req.raw, origins())
  const caller = await identifyCaller().catch((error: unknown) => {
    // A sign-in page is for a window; a script reads the refusal.
    throw error instanceof Refusal ? new Refusal(error.code, error.message) : error
  })
  return count(c, allowance, caller)
}

/**
 * The same for a link, which another site may have led to. Openings by the shop's own pages, links from elsewhere, and navigations that
 * another site began by itself have an allowance each, so that nobody else can use up the shopper's.
 */
export async function authoriseLink(c: Ctx): Promise<Caller> {
  const { origins, url, identifyCaller } = c.var
  const own = (): string => originOf(url())
  checkNavigation(c.req.raw, { allowed: origins(), own })
  return count(c, allowanceOf(c.req.raw, own()), await identifyCaller())
}

function allowanceOf(request: Request, own: string): string {
  if (openedBy(request) === 'other_site') return 'launch other_site'
  return isByOwnPage(request, own) ? 'launch page' : 'launch'
}

/** The limits count shoppers alone. */
async function count({ var: { services, network } }: Ctx, allowance: string, caller: Caller): Promise<Caller> {
  const { limits } = services()
  await limits.shopper(`${allowance} ${idOf(caller.shopper)}`)
  if (network !== null) await limits.address(`${allowance} ${network}`)
  return caller
}
