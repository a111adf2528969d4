/** The documentation site beside the shop. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSite } from '../server/site.ts'

let root: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  writeFileSync(join(folder, 'private.txt'), 'Not of the site.')
  root = join(folder, 'dist')
  mkdirSync(join(root, 'api'), { recursive: true })
})
afterEach(() => rmSync(join(root, '..'), { recursive: true }))

test('a site that has not been made is not served', async () => {
  expect(await startSite(0, root)).toBeNull()
})

test('pages are found by the addresses that the site’s links have, and nothing outside of it is', async () => {
  for (const name of ['index', 'quickstart', 'api/index', 'api/loader']) {
    writeFileSync(join(root, `${name}.html`), `<h1>${name}</h1>`)
  }
  const site = await startSite(0, root)
  const get = async (path: string): Promise<string | number> => {
    const answer = await fetch(`${site?.url}${path}`)
    return answer.ok ? answer.text() : answer.status
  }
  try {
    expect(await get('/')).toBe('<h1>index</h1>')
    expect(await get('/quickstart')).toBe('<h1>quickstart</h1>')
    expect(await get('/api/index')).toBe('<h1>api/index</h1>')
    expect(await get('/api/loader')).toBe('<h1>api/loader</h1>')
    expect(await get('/missing')).toBe(404)
    writeFileSync(join(root, 'quickstart.md'), '# quickstart')
    const twin = await fetch(`${site?.url}/quickstart.md`)
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await twin.text()).toBe('# quickstart')
    expect(await get('/%2e%2e%2fprivate.txt')).toBe(404)
    expect(await get('/..%2fprivate.txt')).toBe(404)
  } finally {
    await site?.close()
  }
})

test('a name that a website has pointed at this machine gets nothing of it', async () => {
  writeFileSync(join(root, 'index.html'), '<h1>index</h1>')
  const site = await startSite(0, root)
  try {
    const status = await new Promise((resolve, reject) => {
      get(`${site?.url}/`, { headers: { host: 'docs.evil.example' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
    expect(status).toBe(403)
  } finally {
    await site?.close()
  }
})
