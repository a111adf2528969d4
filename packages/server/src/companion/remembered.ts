/** Remembers the last answer of a function of one text: for what every request asks, and what hardly ever changes. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; answer: T } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, answer: read(text) }
    return last.answer
  }
}
