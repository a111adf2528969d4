/** What happens in a purchase, in a page that React draws. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { actors } from '../../story.ts'
import { actorNames, showStory } from './storyView.ts'

export function Story(): ReactNode {
  const list = useRef<HTMLOListElement>(null)
  const id = useId()
  useEffect(() => (list.current ? showStory(list.current) : undefined), [])
  return (
    <section className="story" aria-labelledby={id}>
      <h2 id={id}>What happens</h2>
      <div className="story-names" aria-hidden="true">
        {actors.map((actor) => (
          <span key={actor}>{actorNames[actor]}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard has to be able to scroll it. */}
      <ol className="story-steps" ref={list} tabIndex={0} aria-labelledby={id} />
      <p className="story-empty">
        Every call, redirect and event of your purchase shows up here, while it happens.
      </p>
    </section>
  )
}
