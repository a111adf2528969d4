/** The look that every page shares; the fonts come with it, from this server. */
import '@fontsource-variable/bricolage-grotesque/wght.css'
import '@fontsource-variable/figtree/wght.css'
import './theme.css'
