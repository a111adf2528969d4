/** Writes the condition of a query for the identifiers that a request gives. */

/** Whether a row must match each identifier that is given, or one of them. */
export type Match = 'all' | 'any'

/** True for every row when nothing is given; an empty identifier counts as not given. Names are our own columns. */
export function where(
  identifiers: Readonly<Record<string, string | undefined>>,
  match: Match,
): { condition: string; values: string[] } {
  const given = Object.entries(identifiers).flatMap(([column, value]) => (value ? [{ column, value }] : []))
  const joined = given.map(({ column }) => `${column} = ?`).join(match === 'all' ? ' and ' : ' or ')
  return { condition: joined ? `(${joined})` : 'true', values: given.map(({ value }) => value) }
}
