/** Starts the widget page. */
import { render } from 'preact'
import { App } from './App.tsx'
import { createLanguage, LanguageContext } from './language.ts'
import { readLaunch } from './launch.ts'

const launch = readLaunch(new URL(location.href), navigator.languages)
const language = createLanguage(launch.tag)
const page = document.documentElement
page.lang = language.tag
page.dir = language.direction
document.title = [language.words.checkout, launch.shop.name].filter(Boolean).join(' · ')

const root = document.getElementById('widget')
if (root)
  render(
    <LanguageContext.Provider value={language}>
      <App launch={launch} />
    </LanguageContext.Provider>,
    root,
  )
