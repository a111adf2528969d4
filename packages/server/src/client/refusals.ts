/** What a refusal of the service means, and its words. */
import type { ApiError } from '../errors.ts'

/**
 * Whether the service knows no such thing, as opposed to refusing us or failing. Which status says so is not shown (U6):
 * 200 is a refusal that only the body tells.
 */
export const meansUnknown = (error: ApiError): boolean => [200, 400, 404, 410, 422].includes(error.status)

const words = new WeakMap<ApiError, string>()

export const keepWords = (error: ApiError, text: string): void => void words.set(error, text)

/** For comparing two refusals, never for printing. */
export const wordsOf = (error: ApiError): string => words.get(error) ?? ''
