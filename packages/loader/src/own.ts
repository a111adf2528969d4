/** A copy without a prototype, so that what others put on `Object.prototype` is no option, no parameter and no text. */
export const own = <Given extends object>(given: Given): Given => ({ __proto__: null, ...given })
