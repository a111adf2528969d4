/** The cookies of a request, by name, as they were sent: the first of a name counts, as in most languages. */
export function cookiesOf(header: string | null): Record<string, string> {
  const pairs = (header ?? '').split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=')
    return at < 0
      ? []
      : [
          [
            part.slice(0, at).trim(),
            part
              .slice(at + 1)
              .trim()
              .replace(/^"(.*)"$/, '$1'),
          ],
        ]
  })
  return Object.fromEntries(pairs.reverse())
}
