/** The only data that the loader stores: which purchase this tab has open, so that it is looked up before the next one, and after a reload. */

/** The key under which the tab stores its purchase, and the name under which its page and the return page exchange messages. */
export const KEY = 'purchase-widget'

/** When a stored purchase expires. */
const MAX_AGE_MS = 86_400_000

/** 22 characters of base64url, or the 36 of a UUID. */
export const isPurchaseId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22,36}$/.test(value)

/**
 * Stores a purchase's id until its result is known. Storage may be forbidden: then nothing is known later.
 *
 * @param isOfPage A widget of this page has shown it: this page has yet to report the result.
 */
export function storePurchaseId(id: string, isOfPage = false, forMs: number = MAX_AGE_MS): void {
  try {
    const at = Date.now() + forMs - MAX_AGE_MS
    sessionStorage.setItem(KEY, `${id} ${at} ${isOfPage ? performance.timeOrigin : ''}`)
  } catch {}
}

const read = (): string[] => sessionStorage.getItem(KEY)?.split(' ') ?? []

/** The purchase that this tab has open; undefined if anything else is stored there. */
export function storedPurchaseId(): string | undefined {
  try {
    const [id, at] = read()
    const age = Date.now() - Number(at)
    if (isPurchaseId(id) && age >= 0 && age < MAX_AGE_MS) return id
  } catch {}
  return undefined
}

/** Whether a widget of this very page has shown the stored purchase. */
export const isOfPage = (): boolean => !!storedPurchaseId() && read()[2] === `${performance.timeOrigin}`

export function clearPurchaseId(id: string): void {
  try {
    if (sessionStorage.getItem(KEY)?.includes(id)) sessionStorage.removeItem(KEY)
  } catch {}
}
