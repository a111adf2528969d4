/** Amounts as the service writes them: decimal text, which a floating-point number would change. */

const decimal = /^(\d{1,40})(?:\.(\d{1,40}))?$/

export const isDecimal = (text: string): boolean => decimal.test(text)

/** Whether two amounts are equal: `1.10` is `1.1`. What is no decimal equals nothing. */
export function sameAmount(one: string, other: string): boolean {
  const [first, second] = [normalise(one), normalise(other)]
  return first !== null && first === second
}

function normalise(text: string): string | null {
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return null
  return `${BigInt(whole)}.${withoutLastZeros(fraction)}`
}

/** A loop, because a regular expression for this takes quadratic time. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
