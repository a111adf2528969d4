/** Durations as a test writes them: `31 days`. */

const seconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const
type Unit = keyof typeof seconds

/** `90 seconds`, `1 day`, `2.5 hours`. */
export type Duration = `${number} ${Unit}` | `${number} ${Unit}s`

const isUnit = (name: string): name is Unit => Object.hasOwn(seconds, name)

/** @throws TypeError for what is no duration. */
export function secondsOf(duration: Duration): number {
  const [amount = '', name = '', ...more] = duration.split(' ')
  const unit = name.replace(/s$/, '')
  const count = Number(amount)
  if (!isUnit(unit) || amount === '' || more.length > 0 || !(count >= 0))
    throw new TypeError(`"${duration}" is no duration; write it as in "31 days" or "90 seconds".`)
  return count * seconds[unit]
}
