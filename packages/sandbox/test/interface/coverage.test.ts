/** Keeps docs/interface-coverage.md true: it is written from the titles of the tests beside this file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sections = {
  2: 'Resources and their fields',
  4: 'Endpoints',
  5: 'Authentication',
  7: 'Errors',
  8: 'Limits',
}

/** Titles that begin with the section they test. */
function titlesOf(section: string): string[] {
  const source = readFileSync(join(import.meta.dirname, `section${section}.test.ts`), 'utf8')
  return [...source.matchAll(/'([24578](?:\.\d)? [^'\n]+)'/g)].map(([, title = '']) => title)
}

test('docs/interface-coverage.md lists every sentence that is tested, and only those', async () => {
  const parts = Object.entries(sections).map(([section, name]) => {
    const rows = titlesOf(section).map((title) => {
      const [number = '', ...words] = title.split(' ')
      return `| ${number} | ${words.join(' ')} |`
    })
    expect(rows.length).toBeGreaterThan(0)
    const file = `../packages/sandbox/test/interface/section${section}.test.ts`
    return [
      `## ${section}. ${name}`,
      '',
      `Tests: [section${section}.test.ts](${file})`,
      '',
      '| section | what the test shows |',
      '|---|---|',
      ...rows,
    ].join('\n')
  })
  const page = [introduction, ...parts].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../../../docs/interface-coverage.md')
})

const introduction = `# What of the interface is tested

One line for each sentence and field of sections 2, 4, 5, 7 and 8 of the service’s interface. Each is the title of a test of the
sandbox, so \`vitest run --project sandbox -t "4.3"\` runs those of one section. This page is written from the titles by
packages/sandbox/test/interface/coverage.test.ts, which fails when the two differ.`
