/**
 * Whether two options are the same by value, so that an object written inline in a component is not a new option in
 * each render. What is neither a plain object nor an array, such as an element, is the same only as itself. A missing
 * property equals an undefined one.
 */
export const sameOptions = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (hasParts(a) && hasParts(b) && Object.keys({ ...a, ...b }).every((name) => sameOptions(a[name], b[name])))

const hasParts = (value: unknown): value is Record<string, unknown> =>
  Array.isArray(value) || (value as object | undefined)?.constructor === Object
