/**
 * Names that others may have taken. `<img name="body">` hides the document's own property, `<form id="PurchaseWidget">` appears as a property
 * of the window, though never as an own one, and whatever is added to `Object.prototype` appears as a property of every object.
 */

/** A copy without a prototype: properties that others added there are no option, no parameter and no text. */
export const nullProto = <Given extends object>(given: Given): Given => ({ __proto__: null, ...given })

/** A document to read from and to call, whose members no element can hide. */
export const pageOf = (page: Document = document): Document =>
  new Proxy(page, {
    get(_, name) {
      const member: unknown = Reflect.get(Document.prototype, name, page)
      return typeof member === 'function' ? member.bind(page) : member
    },
  })

/**
 * The global `PurchaseWidget` that a script has created, or a new one: both files of the script tag, the language files and the return kit
 * share it.
 */
export function sharedGlobal(): object {
  const page = window as { PurchaseWidget?: object }
  const made = (Object.hasOwn(page, 'PurchaseWidget') && page.PurchaseWidget) || {}
  page.PurchaseWidget = made
  return made
}
