/** Which network an address belongs to, for limits: who has one IPv6 address has 2 to the 64 of them. */

/** IPv6 by its first 64 bits; IPv4, also written as IPv6, whole; anything else as it is. */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped) return mapped
  if (!plain.includes(':')) return plain.slice(0, 64)
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(gap).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').slice(0, 4))
    .join(':')}::/64`
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
