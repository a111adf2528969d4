/** The addresses of all pages of the documentation site. */
import { globSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '..', '..', 'docs', 'site', 'dist')

export const sitePages = (): string[] =>
  globSync('**/*.html', { cwd: dist })
    .filter((file) => file !== '404.html')
    .map((file) => `/${file.replace(/(index)?\.html$/, '')}`)
