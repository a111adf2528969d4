/** VitePress's own look, with one accent. */
import theme from 'vitepress/theme-without-fonts'
import './accent.css'

export default theme
