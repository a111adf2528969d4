/** The only data that the loader stores: which purchase this tab has open, so that it is looked up before the next one, and after a reload. */

/** The key under which the tab stores its purchase, and the name under which its page and the return page exchange messages. */
export const KEY = 'purchase-widget'

/** When a stored purchase expires. */
const MAX_AGE_MS = 86_400_000

/** 22 characters of base64url, or the 36 of a UUID. */
export const isPurchaseId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22,36}$/.test(value)

/**
 * The page whose widget has shown a purchase: that page has yet to report the result. `only`: no later page asks about it.
 */
type ShownBy = '' | 'page' | 'page only'

/** Stores a purchase's id until its result is known. Storage may be forbidden: then nothing is known later. */
export function storePurchaseId(id: string, shownBy: ShownBy = ''): void {
  try {
    sessionStorage.setItem(KEY, `${id} ${Date.now()} ${shownBy.replace('page', `${performance.timeOrigin}`)}`)
  } catch {}
}

function readStored(): { id?: string; isOfPage?: boolean } {
  try {
    const [id, at, page, only] = sessionStorage.getItem(KEY)?.split(' ') ?? []
    const age = Date.now() - Number(at)
    const isOfPage = page === `${performance.timeOrigin}`
    if (isPurchaseId(id) && age >= 0 && age < MAX_AGE_MS && (isOfPage || !only)) return { id, isOfPage }
  } catch {}
  return {}
}

/** The purchase that this tab has open; undefined if anything else is stored there. */
export const storedPurchaseId = (): string | undefined => readStored().id

/** Whether a widget of this very page has shown the stored purchase. */
export const isOfPage = (): boolean => !!readStored().isOfPage

export function clearPurchaseId(id: string): void {
  try {
    if (sessionStorage.getItem(KEY)?.includes(id)) sessionStorage.removeItem(KEY)
  } catch {}
}
