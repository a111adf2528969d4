/** The documentation site: the pages of docs/, with search that works offline and a Markdown twin of each page. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { indentedCode, linksToSource } from '../markdown.ts'
import { sidebar } from '../sidebar.ts'

/** The pages stand outside of this folder, where Node would not find Vue. For browsers VitePress knows which file of Vue's it is. */
const vueForPages: Plugin = {
  name: 'vue-for-pages',
  config: (_config, { isSsrBuild }) => {
    const alias = [
      { find: /^vue$/, replacement: fileOf('vue') },
      { find: /^vue\/server-renderer$/, replacement: fileOf('vue/server-renderer') },
    ]
    return isSsrBuild ? { resolve: { alias } } : {}
  },
}

const fileOf = (module: string): string => fileURLToPath(import.meta.resolve(module))

export default defineConfig({
  title: 'Purchase widget',
  description: 'Sell digital goods and cryptocurrency through a hosted purchase widget.',
  lang: 'en',
  srcDir: '..',
  srcExclude: ['site/**'],
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  cleanUrls: true,
  lastUpdated: true,
  metaChunk: true,
  markdown: {
    config(markdown) {
      linksToSource(markdown)
      indentedCode(markdown)
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    plugins: [vueForPages, llms({ ignoreFiles: ['site/**', 'api/**'] })],
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start', link: '/start-express' },
      { text: 'API', link: '/api/index' },
      { text: 'For language models', link: '/llms.txt', target: '_self' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
    editLink: { pattern: 'https://github.com/purchase-widget/toolkit/edit/main/docs/:path' },
  },
})
