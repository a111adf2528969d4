/** The promises of PROMISES.md, and the comments `// Promise: <id>` in the tests that hold them. */

export interface Promised {
  id: string
  sentence: string
}

export interface Marker {
  id: string
  file: string
  line: number
}

export const promisesIn = (page: string): readonly Promised[] =>
  [...page.matchAll(/^- `(\S+)` (.+)$/gm)].map(([, id = '', sentence = '']) => ({ id, sentence }))

/** A marker stands above what holds the promise: at the top of a file, or above a part of it. */
export const markersIn = (file: string, source: string): readonly Marker[] =>
  source.split('\n').flatMap((text, index) =>
    (/^\s*\/\/ Promises?: (.+)$/.exec(text)?.[1]?.split(', ') ?? []).map((id) => ({
      id,
      file,
      line: index + 1,
    })),
  )

export function problemsOf(
  promises: readonly Promised[],
  markers: readonly Marker[],
  testFiles: readonly string[],
): readonly string[] {
  const ids = promises.map(({ id }) => id)
  return [
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} is promised twice.`),
    ...ids.filter((id) => !markers.some((marker) => marker.id === id)).map((id) => `${id} has no test.`),
    ...markers
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, file, line }) => `${file}:${line}: PROMISES.md has no ${id}.`),
    ...testFiles
      .filter((path) => !markers.some(({ file }) => file === path))
      .map((path) => `${path} holds no promise.`),
  ]
}
