/** Looks at values of which nothing is known: text from outside, and what plain JavaScript passes. */

/** Undefined for what is no JSON. */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** An object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value)

/** Whether it has functions of these names. */
export const canDo = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'function')
