/** The calls, redirects and events of the last purchase as a sequence diagram, for pages with and without a framework. */
import { type Actor, actors, type TimedStep } from '../../story.ts'
import { followStory } from './followStory.ts'
import './story.css'

const names: Record<Actor, string> = {
  widget: 'Widget',
  page: 'Your page',
  server: 'Your server',
  service: 'Service',
}

/** Draws the story into a section that has a heading, and keeps it up to date; gives back the undo. */
export function showStory(section: HTMLElement): () => void {
  const lanes = element('div', 'story-lanes', ...actors.map((actor) => element('span', '', names[actor])))
  lanes.setAttribute('aria-hidden', 'true')
  const empty = element(
    'p',
    'story-empty',
    element('span', '', 'Buy something: each call, redirect and event of your purchase shows up here.'),
  )
  const list = element('ol', 'story-steps')
  const body = element('div', 'story-body', empty)
  // On a phone it scrolls, and a keyboard has to be able to scroll it.
  body.tabIndex = 0
  section.append(lanes, body)
  /** Each step's row, by the step and the moment that the story began: what is drawn stays as it is. */
  const rows = new Map<string, HTMLElement>()

  const leave = followStory((steps) => {
    const start = steps[0]?.at ?? 0
    const shown = steps.map((step) => {
      const key = `${step.id} ${start}`
      const row = rows.get(key) ?? rowOf(step, step.at - start)
      rows.set(key, row)
      return row
    })
    for (const [index, row] of shown.entries()) {
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
    }
    while (list.children.length > shown.length) list.lastElementChild?.remove()
    if (steps.length > 0) empty.replaceWith(list)
    body.scrollTop = body.scrollHeight
  })
  return () => {
    leave()
    for (const part of [lanes, body]) part.remove()
  }
}

/** An arrow from lane to lane, or a note beside one. Lanes are two columns wide, so that arrows can end in a lane's middle. */
function rowOf({ from, to, text, tone }: TimedStep, after: number): HTMLElement {
  const ends = [actors.indexOf(from), actors.indexOf(to)]
  const [first, last] = [Math.min(...ends), Math.max(...ends)]
  const direction = from === to ? 'none' : first === ends[0] ? 'right' : 'left'
  const who = from === to ? names[from] : `${names[from]} to ${names[to]}`

  const words = element(
    'span',
    'step-text',
    element('span', '', breakable(text)),
    ' ',
    element('time', '', after < 1000 ? `${after} ms` : `${(after / 1000).toFixed(1)} s`),
  )
  if (from !== to) words.style.gridColumn = `${2 * first + 2} / ${2 * last + 2}`
  else words.style.gridColumn = first > 1 ? `1 / ${2 * first + 2}` : `${2 * first + 2} / -1`

  const row = element('li', 'step', element('span', 'visually-hidden', `${who}: `), words)
  row.dataset.direction = direction
  row.dataset.side = first > 1 ? 'before' : 'after'
  if (tone) row.dataset.tone = tone
  return row
}

/** Lets `accessTokens.create` and `/orders/…` break where a reader would break them. */
const breakable = (text: string): string => text.replaceAll(/[./](?=[a-z])/g, '\u200b$&')

function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}
