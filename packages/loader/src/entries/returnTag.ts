/** The return kit as a script tag: adds `announceReturn` to the global `PurchaseWidget`. */
import { sharedGlobal } from '../names.ts'
import { announceReturn } from './return.ts'

Object.assign(sharedGlobal(), { announceReturn })
