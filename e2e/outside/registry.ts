/** A local registry with our packages as they would be published: npm uses it for their scope only. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '../fixtures/listen.ts'

/** `tarballs` is the output folder of `pnpm pack`. */
export async function startRegistry(tarballs: string): ReturnType<typeof listen> {
  const files = readdirSync(tarballs).filter((file) => file.endsWith('.tgz'))
  const manifests = new Map(files.map((file) => [file, manifestOf(join(tarballs, file))]))
  let url = ''
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    if (manifests.has(path.slice(1))) return void response.end(readFileSync(join(tarballs, path.slice(1))))
    const [file, manifest] = [...manifests].find(([, { name }]) => path === `/${name}`) ?? []
    if (!file || !manifest) return void response.writeHead(404).end()
    const { name, version } = manifest
    const versions = { [version]: { ...manifest, dist: { tarball: `${url}/${file}` } } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  const listening = await listen(server, 'localhost')
  url = listening.url
  return listening
}

const manifestOf = (tarball: string): { name: string; version: string } =>
  JSON.parse(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' }))
