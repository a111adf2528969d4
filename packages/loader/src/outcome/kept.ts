/** The only data that the loader stores: which purchase this tab has open, so that the page can ask about it after a reload. */

/** The key under which the tab stores its purchase, and the name under which its page and the return page exchange messages. */
export const KEY = 'purchase-widget'

/** When a stored purchase expires. */
const MAX_AGE_MS = 86_400_000

/** 22 characters of base64url, or the 36 of a UUID. */
export const isPurchaseId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{22,36}$/.test(value)

/** Stores a purchase's id until its result is known. Storage may be forbidden: a reloaded page then knows nothing. */
export function storePurchaseId(id: string): void {
  try {
    sessionStorage.setItem(KEY, `${id} ${Date.now()}`)
  } catch {}
}

/** A purchase whose window seems closed, but may be hidden by COOP. It is looked up before the next one on this page. */
let lostId: string | undefined

export const isLost = (id: string): boolean => id === lostId

export function setLost(id: string, isIt: boolean): void {
  if (isIt) lostId = id
  else if (isLost(id)) lostId = undefined
}

/** The purchase that this tab has open; undefined if anything else is stored there. */
export function storedPurchaseId(): string | undefined {
  try {
    const [id, at] = sessionStorage.getItem(KEY)?.split(' ') ?? []
    const age = Date.now() - Number(at)
    if (isPurchaseId(id) && age >= 0 && age < MAX_AGE_MS) return id
  } catch {}
  return lostId
}

export function clearPurchaseId(id: string): void {
  try {
    if (sessionStorage.getItem(KEY)?.includes(id)) sessionStorage.removeItem(KEY)
  } catch {}
}
