/** The words of a refusal. They may repeat what was sent, so they are kept apart from the error, where nothing prints them. */
import type { ApiError } from '../errors.ts'

const words = new WeakMap<ApiError, string>()

export const keepWords = (error: ApiError, text: string): void => void words.set(error, text)

/** For comparing two refusals, never for printing. */
export const wordsOf = (error: ApiError): string => words.get(error) ?? ''
