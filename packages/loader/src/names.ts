/**
 * Names that elements may have too. `<img name="currentScript">` hides the document's own property, and `<form id="PurchaseWidget">`
 * shows as a property of the window, though never as one of its own.
 */

/** What the document itself says. */
export const ofDocument = <Name extends keyof Document>(name: Name): Document[Name] =>
  Reflect.get(Document.prototype, name, document)

/** The global `PurchaseWidget` that a script has made, or a new one: stub, script tag and return kit share it. */
export function sharedGlobal(): object {
  const page = window as { PurchaseWidget?: object }
  const made = (Object.hasOwn(page, 'PurchaseWidget') && page.PurchaseWidget) || {}
  page.PurchaseWidget = made
  return made
}
