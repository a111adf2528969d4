/** How the site reads docs/, which is written to be read in the repository. */
import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

const repository = 'https://github.com/purchase-widget/toolkit/blob/main'

/** A file of the repository that is no page gets its address there; links among pages stay, and VitePress checks them. */
export function linksToSource(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links-to-source', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open')
        token.attrSet('href', linkFrom(env.relativePath, token.attrGet('href') ?? ''))
    }
  })
}

function linkFrom(page: string, href: string): string {
  if (!href.startsWith('.')) return href
  const file = posix.join('docs', posix.dirname(page), href)
  return file.startsWith('docs/') ? href : `${repository}/${file}`
}

/** Shows indented code as VitePress shows a fenced block: in a frame of its own that scrolls, by keyboard too. */
export function indentedCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('indented-code', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'code_block')
        Object.assign(token, { type: 'fence', tag: 'code', info: 'txt', markup: '```' })
    }
  })
}
