/** The documentation site: the pages of docs/, with search that works offline and a Markdown twin of each page. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { indentedCode, linksToSource } from '../markdown.ts'

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

/** The pages of docs/, in the order in which a merchant needs them. */
const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'Express', link: '/start-express' },
      { text: 'Next.js', link: '/start-nextjs' },
      { text: 'Vite and Hono', link: '/start-vite-hono' },
      { text: 'Any backend language', link: '/start-any-backend' },
      { text: 'Mobile apps', link: '/start-mobile' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Sell', link: '/sell' },
      { text: 'Deliver', link: '/deliver' },
      { text: 'Test', link: '/testing' },
      { text: 'Go live', link: '/go-live' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Options, events, results', link: '/options' },
      { text: 'Server', link: '/server' },
      { text: 'Errors', link: '/errors' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'The service’s interface', link: '/interface' },
      { text: 'API of the packages', link: '/api/index' },
    ],
  },
  {
    text: 'Trust',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'What the service owns', link: '/service' },
      { text: 'Quality', link: '/quality' },
    ],
  },
  {
    text: 'For contributors',
    items: [
      { text: 'Assumptions', link: '/assumptions' },
      { text: 'Measurements', link: '/measurements' },
      { text: 'Interface coverage', link: '/interface-coverage' },
      { text: 'Decisions', link: '/decisions' },
    ],
  },
]

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
