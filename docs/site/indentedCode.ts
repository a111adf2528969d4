/** Shows indented code as VitePress shows a fenced block: in a frame of its own that scrolls, by keyboard too. */
import type { MarkdownRenderer } from 'vitepress'

export function indentedCode(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('indented-code', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'code_block')
        Object.assign(token, { type: 'fence', tag: 'code', info: 'txt', markup: '```' })
    }
  })
}
