/** What just happened, in a page that React draws. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { showStory } from './storyView.ts'

export function Story(): ReactNode {
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => (section.current ? showStory(section.current) : undefined), [])
  return (
    <section className="story" aria-labelledby={id} ref={section}>
      <h2 id={id}>What just happened</h2>
    </section>
  )
}
