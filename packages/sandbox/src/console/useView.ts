/** Which view the address asks for. */
import { useEffect, useState } from 'preact/hooks'

/** What the address shows after its `#/`; Back and links work, and a reload stays. */
export function useView<View extends string>(views: readonly View[], first: View): View {
  const current = (): View => views.find((view) => location.hash === `#/${view}`) ?? first
  const [view, setView] = useState(current)
  useEffect(() => {
    const follow = (): void => setView(current)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  })
  return view
}
