/**
 * Names that elements may have too. `<img name="body">` hides the document's own property, and `<form id="PurchaseWidget">` shows as a
 * property of the window, though never as one of its own.
 */

/** A document to read from and to call, whose members no element hides. */
export const pageOf = (page: Document = document): Document =>
  new Proxy(page, {
    get(_, name) {
      const member: unknown = Reflect.get(Document.prototype, name, page)
      return typeof member === 'function' ? member.bind(page) : member
    },
  })

/** The global `PurchaseWidget` that a script has made, or a new one: stub, script tag and return kit share it. */
export function sharedGlobal(): object {
  const page = window as { PurchaseWidget?: object }
  const made = (Object.hasOwn(page, 'PurchaseWidget') && page.PurchaseWidget) || {}
  page.PurchaseWidget = made
  return made
}
