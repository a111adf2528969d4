/**
 * The loader's built scripts and its language files as text, by file name. In the workspace they are read from the loader's build; the
 * build of this package replaces this file with the texts themselves (tsdown.config.ts), so that a runtime without files has
 * them too.
 */
import { readFile } from 'node:fs/promises'

/** `name` is `purchase-widget.js`, or with `dev`, a language, or `rest` and a hash in it. Rejects or resolves to undefined if the file is missing. */
export const readScriptText = (name: string): Promise<string | undefined> =>
  readFile(new URL(`../../../loader/dist/${name}`, import.meta.url), 'utf8')
