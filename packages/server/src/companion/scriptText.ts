/**
 * The loader's built scripts and its language files. The build of this package replaces this file with their texts (tsdown.config.ts), so that
 * a runtime without files has them too.
 */
import { readFile } from 'node:fs/promises'

/** Rejects or resolves to undefined if the file is missing. */
export const readScriptText = (name: string): Promise<string | undefined> =>
  readFile(new URL(`../../../loader/dist/${name}`, import.meta.url), 'utf8')
