/**
 * Options of every function that takes some, checked when they arrive: a misspelt one must not be taken for a missing one, and a wrong one is
 * reported before the first order. Messages name the option and its valid values, never the given one.
 */
import { misconfigured } from './errors.ts'
import { isRecord, unknownName } from './unknown.ts'

/** Throws `InvalidInputError`. */
export type Check = (value: unknown, name: string) => void

/** One check for each option. */
export type Checks<Options> = Record<keyof Options & string, Check>

/**
 * An option that is undefined counts as missing.
 *
 * @param owner the function's name, for messages.
 * @throws InvalidInputError that names the option.
 */
export function checkOptions<Options extends object>(
  owner: string,
  options: Options,
  checks: Checks<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  if (!isRecord(options)) {
    const least = required.length > 0 ? `, at least { ${required.join(', ')} }` : ''
    throw misconfigured(`the options of ${owner} must be an object${least}.`)
  }
  const unknown = unknownName(options, checks)
  if (unknown !== undefined) {
    throw misconfigured(`${owner} has no option ${unknown}, only ${Object.keys(checks).join(', ')}.`)
  }
  for (const [name, check] of Object.entries<Check>(checks)) {
    const value = options[name]
    if (value !== undefined || required.some((one) => one === name)) check(value, name)
  }
}

export function must(isRight: (value: unknown) => boolean, be: string): Check {
  return (value, name) => {
    if (!isRight(value)) throw misconfigured(`${name} must ${be}.`)
  }
}

export function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

export const isBoolean: Check = must((value) => typeof value === 'boolean', 'be true or false')

/** March 1973 in milliseconds, and the year 5138 in seconds. */
const LEAST_TIME = 1e11

/** Called once: a clock in seconds, or one that returns a Date or a promise, would let no order fit its purchase. */
export const isClock: Check = must((value) => {
  const time = isFunction(value) ? value() : undefined
  return typeof time === 'number' && Number.isFinite(time) && time > LEAST_TIME
}, 'be a function that returns milliseconds since 1970, such as Date.now')
