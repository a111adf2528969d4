/**
 * Builds the documentation site in docs/site/dist: the API reference from the sources, then every page of docs/ with its Markdown twin
 * and a search index. A broken link or a public name without its types fails the build.
 *
 *     node scripts/docs.ts            builds it
 *     node scripts/docs.ts --serve    builds it, and serves it on localhost
 */
import { join } from 'node:path'
import { installTools, root, run } from './run.ts'

const site = join(root, 'docs', 'site')

installTools(site)
run(site, 'typedoc')
run(site, 'vitepress', 'build')
console.log('The site is in docs/site/dist.')
if (process.argv.includes('--serve')) run(site, 'vitepress', 'preview')
