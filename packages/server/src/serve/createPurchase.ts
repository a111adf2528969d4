/** What is sold, and at which price: the shop's hook says it, or a file. */
import { randomUUID } from 'node:crypto'
import { PurchaseRefused } from '../errors.ts'
import type { CreatePurchase } from '../purchase/purchase.ts'
import { readCreatePurchaseAnswer } from './answers.ts'
import type { Catalogue } from './catalogue.ts'
import type { HookAddress } from './configuration.ts'
import type { CallHook } from './hook.ts'

export function createPurchaseByHook(callHook: CallHook, hook: HookAddress): CreatePurchase {
  return async ({ shopper, params }) => {
    const id = `purchase_${randomUUID()}`
    const answer = await callHook({ ...hook, name: 'createPurchase', id, body: { shopper, params } })
    const decision = readCreatePurchaseAnswer(answer.status === 'ok' ? answer.text : '')
    if ('refused' in decision) throw new PurchaseRefused(decision.refused)
    return decision
  }
}

export function createPurchaseByCatalogue({ $schema, products, ...returns }: Catalogue): CreatePurchase {
  return ({ params: { product_id = '' } }) => {
    // Own names alone: a link may ask for "constructor".
    const product = Object.hasOwn(products, product_id) ? products[product_id] : undefined
    if (!product) throw new PurchaseRefused('We do not sell that.')
    return { params: { ...product, product_id }, ...returns }
  }
}
