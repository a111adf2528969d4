/** Scripts of the contestants, bundled as their users would bundle them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'

const peers = join(import.meta.dirname, '..', 'peers')

/**
 * Bundles a module and all its static and dynamic imports into one minified script.
 *
 * @param without Dynamic imports to leave out.
 */
export async function bundle(entry: string, format: 'es' | 'iife', without?: RegExp): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: [format], name: 'Contestant' },
      rolldownOptions: { output: { codeSplitting: false }, ...(without && { external: without }) },
    },
  })
  const [output] = [result].flat()
  if (!output || !('output' in output)) throw new Error(`${entry} could not be bundled.`)
  return output.output[0].code
}

/** Every peer, by the name of its opener. */
export function peerNames(): string[] {
  if (!existsSync(join(peers, 'node_modules')))
    throw new Error('The peers are not installed: run `npm ci --ignore-scripts` in bench/peers.')
  return readdirSync(join(peers, 'openers')).map((file) => basename(file, '.js'))
}

export const bundlePeer = (name: string, format: 'es' | 'iife'): Promise<string> =>
  bundle(join(peers, 'openers', `${name}.js`), format)

/** The measured packages, with their versions. */
export function peerVersions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(peers, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies
}
