/**
 * The loader's built script as text. In the workspace it is read from the loader's build; the build of this package puts the text itself
 * into the place of this file (tsdown.config.ts), so that a runtime without files has it too.
 */
import { readFile } from 'node:fs/promises'

export const readScriptText = (): Promise<string> =>
  readFile(new URL('../../../loader/dist/purchase-widget.js', import.meta.url), 'utf8')
