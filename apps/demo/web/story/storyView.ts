/** The calls, redirects and events of the last purchase as a sequence diagram, for pages with and without a framework. */
import { type Actor, actors, type TimedStep } from '../../story.ts'
import { fold, type Row } from './fold.ts'
import { followStory } from './followStory.ts'
import './story.css'

export const actorNames: Record<Actor, string> = {
  widget: 'Widget',
  page: 'Page',
  server: 'Server',
  service: 'Service',
}

/** Draws the story into a list, and keeps it up to date; gives back the undo. The list scrolls with it. */
export function showStory(list: HTMLElement): () => void {
  /** What is drawn stays as it is: by the step and the moment that the story began. */
  const drawn = new Map<string, HTMLElement>()

  const leave = followStory((steps) => {
    const start = steps[0]?.at ?? 0
    const shown = fold(steps).map((row) => {
      const key = `${row.step.id} ${start}`
      const element = drawn.get(key) ?? drawRow(row.step, row.step.at - start)
      drawn.set(key, element)
      countTimes(element, row)
      return element
    })
    for (const [index, row] of shown.entries()) {
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
    }
    while (list.children.length > shown.length) list.lastElementChild?.remove()
    list.scrollTop = list.scrollHeight
  })
  return () => {
    leave()
    list.replaceChildren()
  }
}

/** An arrow from lane to lane, or a dot on one; beside it what happened, in words. */
function drawRow({ from, to, text, call, tone }: TimedStep, after: number): HTMLElement {
  const ends = [actors.indexOf(from), actors.indexOf(to)]
  const [first, last] = [Math.min(...ends), Math.max(...ends)]
  const who = from === to ? actorNames[from] : `${actorNames[from]} to ${actorNames[to]}`

  const arrow = element('span', 'step-arrow')
  arrow.ariaHidden = 'true'
  arrow.style.gridColumn = `${first + 1} / ${last + 2}`
  const lanes = element('span', 'step-lanes', arrow)
  const words = element(
    'span',
    'step-words',
    element('span', 'visually-hidden', `${who}: `),
    element('span', 'step-text', text),
    ' ',
    ...(call ? [element('code', '', breakable(call)), ' '] : []),
    element('span', 'step-times'),
  )
  const row = element('li', 'step', lanes, words, element('time', '', timeOf(after)))
  row.dataset.direction = from === to ? 'none' : first === ends[0] ? 'forward' : 'back'
  if (tone) row.dataset.tone = tone
  return row
}

function countTimes(row: HTMLElement, { times }: Row): void {
  const place = row.querySelector('.step-times')
  const text = times > 1 ? `${times} times` : ''
  if (place && place.textContent !== text) place.textContent = text
}

const timeOf = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`

/** Lets `accessTokens.create` and `/orders/…` break where a reader would break them. */
const breakable = (text: string): string => text.replaceAll(/[./](?=[a-z])/g, '\u200b$&')

function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}
