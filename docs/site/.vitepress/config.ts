/** The documentation site: the pages of docs/, with search that works offline and a Markdown twin of each page. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { linksToSource } from '../linksToSource.ts'
import { sidebar } from '../sidebar.ts'

const fileOf = (module: string): string => fileURLToPath(import.meta.resolve(module))

export default defineConfig({
  title: 'Purchase widget',
  description: 'Sell digital goods and cryptocurrency through a hosted purchase widget.',
  lang: 'en',
  srcDir: '..',
  srcExclude: ['site/**', 'reference/**'],
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  markdown: {
    config: linksToSource,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    // The pages stand outside of this folder, where they would not find Vue.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: fileOf('vue') },
        { find: /^vue\/server-renderer$/, replacement: fileOf('vue/server-renderer') },
      ],
    },
    plugins: [llms({ ignoreFiles: ['site/**', 'api/**'] })],
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start', link: '/quickstart' },
      { text: 'API', link: '/api/index' },
      { text: 'For language models', link: '/llms.txt', target: '_self' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
