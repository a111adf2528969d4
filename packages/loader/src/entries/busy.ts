/** Says of a link or button that its purchase is under way: to CSS by attributes, to screen readers by one polite sentence. */
import { pageOf } from '../names.ts'

/** Gives back the undo. */
export function setBusy(pressed: Element, sentence: string): () => void {
  const region = pageOf().createElement('div')
  region.role = 'status'
  // By the object model, which every Content-Security-Policy allows.
  region.style.cssText = 'position:fixed;clip-path:inset(50%)'
  pageOf().body.append(region)
  // A region has to be there before its text, or nothing is said.
  const timer = setTimeout(() => region.append(sentence))
  pressed.ariaBusy = 'true'
  return () => {
    clearTimeout(timer)
    region.remove()
    pressed.ariaBusy = null
  }
}
