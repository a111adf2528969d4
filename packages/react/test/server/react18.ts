/** Resolves `react` and `react-dom` to React 18 in this process: `node --import ./react18.ts`. */
import { registerHooks } from 'node:module'

const here = import.meta.url

registerHooks({
  resolve(specifier, context, nextResolve) {
    const old = specifier.replace(/^react(-dom)?(?=$|\/)/, 'react$1-18')
    return old === specifier
      ? nextResolve(specifier, context)
      : nextResolve(old, { ...context, parentURL: here })
  },
})
