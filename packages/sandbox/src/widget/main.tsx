/** Starts the widget page. */
import { render } from 'preact'
import { App } from './App.tsx'
import { directionOf, readLaunch } from './launch.ts'

const launch = readLaunch(new URL(location.href), navigator.language)
document.documentElement.dir = directionOf(launch.locale)

const root = document.getElementById('widget')
if (root) render(<App launch={launch} />, root)
