/** VitePress's own look in the demo's colours, with a first page of its own. */
import { Content, type Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './theme.css'

/** The page is Markdown, as all others; VitePress's home would have no `<main>`. */
const Landing = { render: () => h('main', { class: 'landing vp-doc' }, h(Content)) }

const landingTheme: Theme = {
  extends: theme,
  enhanceApp: ({ app }) => void app.component('landing', Landing),
}
export default landingTheme
