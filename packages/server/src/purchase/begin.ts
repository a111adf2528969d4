/** How every purchase begins, for a page and for a link: what is sold is decided, kept, and put into the widget's parameters. */
import { randomBytes } from 'node:crypto'
import { STORE_MS, within } from '../deadline.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { widgetParams } from './carrier.ts'
import { checkDecision, DAY_MS, type Sale } from './decision.ts'
import { isAmount, mayBeLinked } from './fields.ts'
import type {
  Carrier,
  CreatePurchase,
  OpenedBy,
  Purchase,
  PurchaseSurface,
  RedirectPage,
} from './purchase.ts'
import type { Shopper } from './shopper.ts'

/** What a page, a link or an app asks for. */
export interface Asked {
  /** The id that the page made; null for one that is made here. */
  readonly id: string | null
  /** Before anybody has asked for it. */
  readonly preload: boolean
  /** Whether it may choose an amount that is open: never a link, which anybody may have written. */
  readonly mayChooseAmount: boolean
  readonly request: Request
  readonly shopper: Shopper
  readonly formerly: readonly string[]
  /** Untrusted; without reserved fields. */
  readonly params: Readonly<Record<string, string>>
  /** Of an allowed origin each. They count only where the page decides. */
  readonly returnUrl: string | null
  readonly failReturnUrl: string | null
  readonly surface: PurchaseSurface
  readonly openedBy: OpenedBy
  readonly redirectPage: RedirectPage
  readonly hostOrigin: string | null
  /** The merchant's page that asks, or the shop's front page. */
  readonly begunOn: string
  /** The companion's address. */
  readonly url: string
}

export interface Begun {
  readonly purchaseId: string
  /** Every parameter of the widget's address but the token. */
  readonly params: Record<string, string>
}

/**
 * Begins a purchase.
 *
 * Rejects with what `createPurchase` throws, and with `InvalidInputError` for a decision that leaves the price or the product to
 * the shopper by mistake.
 */
export type Begin = (asked: Asked) => Promise<Begun>

export interface BeginOptions {
  createPurchase: CreatePurchase | undefined
  carrier: Carrier
  rows: Pick<PurchaseRows, 'begin'>
  onError: (error: unknown) => void
  now: () => number
}

export function createBegin({ createPurchase, carrier, rows, onError, now }: BeginOptions): Begin {
  async function decide({ shopper, params, request, url, returnUrl, failReturnUrl }: Asked): Promise<Sale> {
    if (createPurchase) return checkDecision(await createPurchase({ shopper, params, request }), url)
    return { params, open: [], returnUrl, failReturnUrl, reference: null, validFor: DAY_MS }
  }

  return async (asked) => {
    const { validFor, ...sale } = await decide(asked)
    const { shopper, formerly, surface, preload, openedBy, redirectPage, hostOrigin, url } = asked
    const chosen = choices(sale, asked)
    const begunAt = now()
    const purchase: Purchase = {
      ...sale,
      failReturnUrl: failReturn(sale, asked),
      chosen: withoutPerson(chosen),
      id: asked.id ?? newId(),
      shopper,
      formerly,
      decidedBy: createPurchase ? 'server' : 'page',
      surface,
      preload,
      openedBy,
      redirectPage,
      hostOrigin,
      // Without an id of the shop's the order's `custom_id` is free, and it is what the service lists orders by.
      carrier: shopper.customId === undefined ? 'custom_id' : carrier,
      locale: chosen.locale ?? sale.params.locale ?? null,
      url,
      begunAt,
      validUntil: begunAt + validFor,
    }
    // Without its row the order's purchase is unknown later, which is still better than a shop that cannot sell.
    await within(STORE_MS, rows.begin(purchase), 'The store').catch(onError)
    return { purchaseId: purchase.id, params: widgetParams(purchase, chosen) }
  }
}

/**
 * Without an address for failures the shopper goes back to the page where the purchase was begun, never to the one that says thank you. The
 * page that shows a frame or popup is still there, and stays.
 */
function failReturn(
  { returnUrl, failReturnUrl }: Pick<Purchase, 'returnUrl' | 'failReturnUrl'>,
  { surface, begunOn }: Pick<Asked, 'surface' | 'begunOn'>,
): string | null {
  const hasLeft = surface === 'redirect' || surface === 'launch'
  if (failReturnUrl !== null || returnUrl === null || !hasLeft) return failReturnUrl
  return begunOn === returnUrl ? new URL('/', begunOn).href : begunOn
}

/** What the page chose: for open fields, and its language where none was decided. */
function choices(
  { params, open }: Pick<Purchase, 'params' | 'open'>,
  asked: Pick<Asked, 'params' | 'mayChooseAmount'>,
): Asked['params'] {
  const isFree = (name: string): boolean =>
    (open.includes(name) && (asked.mayChooseAmount || !isAmount(name))) ||
    (name === 'locale' && params.locale === undefined)
  return Object.fromEntries(Object.entries(asked.params).filter(([name]) => isFree(name)))
}

/** The row outlives the purchase: a person's details are for the widget alone. */
const withoutPerson = (chosen: Asked['params']): Purchase['chosen'] =>
  Object.fromEntries(Object.entries(chosen).filter(([name]) => mayBeLinked(name)))

/** 128 random bits. */
const newId = (): string => randomBytes(16).toString('base64url')
