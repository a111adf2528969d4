/**
 * The loader's built scripts and its language files as text, by file name. In the workspace they are read from the loader's build; the
 * build of this package puts the texts themselves into the place of this file (tsdown.config.ts), so that a runtime without files has
 * them too.
 */
import { readFile } from 'node:fs/promises'

/** `name` is `purchase-widget.js`, or with `dev`, a language, or `rest` and a hash in it. Rejects or gives undefined where there is no such file. */
export const readScriptText = (name: string): Promise<string | undefined> =>
  readFile(new URL(`../../../loader/dist/${name}`, import.meta.url), 'utf8')
