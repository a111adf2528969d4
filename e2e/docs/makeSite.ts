/** Makes the site once, before its tests. A link that leads nowhere fails here. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export default (): void => {
  execFileSync('node', [join(import.meta.dirname, '..', '..', 'scripts', 'docs.ts')], { stdio: 'inherit' })
}
