/** The return kit as a script tag: adds `announceReturn` to the global `PurchaseWidget`. */
import { announceReturn } from './return.ts'

const page = window as unknown as { PurchaseWidget?: object }
page.PurchaseWidget = Object.assign(page.PurchaseWidget ?? {}, { announceReturn })
