/** What the environment says. Read when first needed, never at import. */

/** Not every runtime has `process`. */
export const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {}

export const isProduction = (): boolean => environment().NODE_ENV === 'production'

/** Whether a developer is told more than a caller may know: not where nothing tells development from production. */
export const isDevelopment = (): boolean => globalThis.process !== undefined && !isProduction()
