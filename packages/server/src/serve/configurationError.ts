/** Mistakes in the configuration of `serve`, each with its place: a file of its own, since every command catches them. */

/** One mistake. `line` counts from 1; null for a problem outside the file, such as a variable that is not set. */
export interface Mistake {
  readonly file: string
  readonly line: number | null
  /** Where in the file, e.g. `authorize.jwt`; empty for the file as a whole. */
  readonly path: string
  readonly problem: string
}

const describeMistake = ({ file, line, path, problem }: Mistake): string =>
  `${file}${line === null ? '' : `:${line}`}: ${path ? `${path} ` : ''}${problem}`

/** Thrown with every mistake. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(describeMistake).join('\n'))
    this.mistakes = mistakes
  }
}
