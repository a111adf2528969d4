/** Starts the console page. */
import { render } from 'preact'
import { Console } from './Console.tsx'

const root = document.getElementById('console')
if (root) render(<Console />, root)
