/** The cookies of a request, by name, as they were sent: the first of a name counts, as in most languages. */
export function cookiesOf(header: string | null): Record<string, string> {
  const cookies = (header ?? '').split(';').flatMap((cookie): [string, string][] => {
    const [, name, value] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(cookie) ?? []
    return name === undefined || value === undefined ? [] : [[name, value.replace(/^"(.*)"$/, '$1')]]
  })
  return Object.fromEntries(cookies.reverse())
}
