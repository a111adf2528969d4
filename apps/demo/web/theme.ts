/** The look that every page shares; the fonts come with it, from this server. */
import './fonts.css'
import './theme.css'
