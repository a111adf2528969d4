/**
 * Runs packages/sandbox/Dockerfile where there is no Docker: each stage in a file system of its own over this machine's, whose Node stands for
 * the image's; then starts what CMD says, as the user that USER names, and asks it for a page, a token and an order. Takes root, on Linux.
 *
 *     node scripts/dockerfile.ts
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const repository = dirname(import.meta.dirname)

interface Instruction {
  name: string
  text: string
}

/** Of one stage, while its instructions are followed. */
interface Stage {
  root: string
  folder: string
  env: Record<string, string>
  user: string | null
  command: string[]
}

const base = mkdtempSync(join(tmpdir(), 'dockerfile-'))
execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', base])
const stages = new Map<string, Stage>()
try {
  await serve(build())
  console.log('What the Dockerfile builds serves.')
} finally {
  for (const { root } of stages.values()) execFileSync('umount', [root])
  execFileSync('umount', [base])
  rmSync(base, { recursive: true })
}

function build(): Stage {
  let stage: Stage | undefined
  for (const instruction of read('packages/sandbox/Dockerfile')) {
    console.log(`\n${instruction.name} ${instruction.text}`)
    if (instruction.name === 'FROM') stage = begin(instruction.text)
    else if (stage) follow(instruction, stage)
  }
  if (!stage) throw new Error('The Dockerfile has no FROM.')
  return stage
}

function read(path: string): Instruction[] {
  const text = readFileSync(join(repository, path), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, '')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ')
      return { name, text: rest.join(' ').trim() }
    })
}

/** A layer over this machine's own file system. */
function begin(text: string): Stage {
  const name = / AS (\S+)$/i.exec(text)?.[1] ?? 'last'
  const [upper, work, root] = ['upper', 'work', 'root'].map((folder) => join(base, name, folder)) as [
    string,
    string,
    string,
  ]
  for (const folder of [upper, work, root]) mkdirSync(folder, { recursive: true })
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin'].join(delimiter)
  const stage = {
    root,
    folder: '/',
    env: { ...wayToRegistry(), PATH: path, HOME: '/root' },
    user: null,
    command: [],
  }
  stages.set(name, stage)
  return stage
}

/** How this machine reaches the package registry. */
function wayToRegistry(): Record<string, string> {
  const isOfIt = /^(npm_config_registry|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      isOfIt.test(name) && value ? [[name, value]] : [],
    ),
  )
}

function follow({ name, text }: Instruction, stage: Stage): void {
  switch (name) {
    case 'WORKDIR':
      stage.folder = text
      mkdirSync(join(stage.root, text), { recursive: true })
      return
    case 'COPY':
      copy(text.split(' '), stage)
      return
    case 'RUN':
      execFileSync(...inside(stage, ['sh', '-ec', text]), { stdio: 'inherit', env: stage.env })
      return
    case 'ENV': {
      const [variable = '', value = ''] = text.split('=', 2)
      stage.env[variable] = value
      return
    }
    case 'USER':
      stage.user = text
      return
    case 'CMD':
      stage.command = JSON.parse(text) as string[]
      return
    case 'EXPOSE':
      return
    default:
      throw new Error(`${name} is not known here.`)
  }
}

function copy(words: string[], stage: Stage): void {
  const [from, source = '', target = ''] = words[0]?.startsWith('--from=') ? words : ['', ...words]
  if (from) {
    const other = stages.get(from.slice('--from='.length))
    if (!other) throw new Error(`There is no stage ${from}.`)
    cpSync(join(other.root, source), join(stage.root, target))
    return
  }
  if (source !== '.' || target !== '.') throw new Error('Only the whole context can be copied here.')
  // The files that belong to the repository: what is ignored there is in Dockerfile.dockerignore too.
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter(Boolean))
    cpSync(join(repository, file), join(stage.root, stage.folder, file))
}

/** Docker's user `node` is the first that is no system user. */
function asUser(user: string | null): string[] {
  return user === null ? [] : ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups']
}

/** The program and its arguments, as a process that has the stage's files and processes alone. */
function inside({ root, folder, user }: Stage, command: readonly string[]): [string, string[]] {
  const enter = 'mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"; exec chroot "$@"'
  const change = ['sh', '-c', 'cd "$0" && exec "$@"', folder]
  const chroot = [root, ...asUser(user), ...change, ...command]
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', enter, 'enter', ...chroot]]
}

async function serve(stage: Stage): Promise<void> {
  // Any port that is free; all else is the image's.
  const ports = { PURCHASE_SANDBOX_PORT: '0', PURCHASE_SANDBOX_WIDGET_PORT: '0' }
  const container = spawn(...inside(stage, [...stage.command, '--json']), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...stage.env, ...ports },
  })
  try {
    await ask(JSON.parse(await firstLine(container)) as Record<string, string>)
  } finally {
    container.kill('SIGKILL')
    await once(container, 'exit')
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    if (text.includes('\n')) return text
  }
  throw new Error('The container ended before it said where it is.')
}

async function ask({
  widgetUrl,
  widgetApiUrl,
  controlUrl,
  apiKey,
  secretKey,
}: Record<string, string>): Promise<void> {
  const keys = { 'api-key': `${apiKey}`, 'secret-key': `${secretKey}` }
  const json = { 'content-type': 'application/json' }
  const answers = [
    await fetch(`${widgetUrl}/widget/?accessToken=x`),
    await fetch(`${controlUrl}/`),
    await fetch(`${widgetApiUrl}/api/widget/refresh/access_token`, {
      method: 'POST',
      headers: { ...json, ...keys },
      body: '{}',
    }),
    await fetch(`${controlUrl}/purchases`, { method: 'POST', headers: json, body: '{}' }),
  ]
  for (const { ok, status, url } of answers) {
    console.log(`${status} ${url.split('?')[0]}`)
    if (!ok) throw new Error('It does not serve.')
  }
}
