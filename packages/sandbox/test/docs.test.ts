// Promise: sandbox/docs
/** Keeps the tables of the docs true to the code. `vitest -u` writes what can be written. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultKinds, faultTargets } from '../src/simulation/faults.ts'
import { switchNames, switchTable } from '../src/simulation/switches.ts'
import { declines } from '../src/widget/protocol.ts'

const docs = join(import.meta.dirname, '../../../docs')
const read = (name: string): string => readFileSync(join(docs, name), 'utf8')

const switchRows = switchNames.map((name) => {
  const { row, description, values } = switchTable[name]
  return `| \`${name}\` | ${row} | ${values.map((value) => `\`${value}\``).join(', ')}: ${description} |`
})

test('docs/sandbox.md lists each switch with its row, its values and what it does', async () => {
  const page = read('sandbox.md').replace(
    /(<!-- switches -->\n)[\s\S]*(<!-- \/switches -->)/,
    (_, start, end) =>
      `${start}\n| switch | row | values, the default first |\n| --- | --- | --- |\n${switchRows.join('\n')}\n\n${end}`,
  )
  await expect(page).toMatchFileSnapshot(join(docs, 'sandbox.md'))
})

test('docs/sandbox.md names each operation, kind of fault and decline code', () => {
  const page = read('sandbox.md')
  for (const name of [...faultTargets, ...faultKinds]) expect(page).toContain(`\`${name}\``)
  for (const code of Object.keys(declines))
    expect(page).toMatch(new RegExp(`${code}|4000 to 4005|4010 to 4013`))
})

test('docs/assumptions.md has a row for each gap, and each switch in its row', () => {
  const rows = new Map(
    [...read('assumptions.md').matchAll(/^\| (U\d+) \|.*$/gm)].map(([line, number = '']) => [number, line]),
  )
  expect([...rows.keys()]).toEqual(Array.from({ length: 28 }, (_, index) => `U${index + 1}`))
  for (const name of switchNames) {
    const { row } = switchTable[name]
    expect(row.startsWith('U') ? rows.get(row) : read('assumptions.md')).toContain(`\`${name}\``)
  }
})
