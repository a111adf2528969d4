/** Runs the steps of a Dockerfile without Docker: each stage has a folder, whose paths stand for those of the image. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Image {
  /** Where the image's `/` is. */
  root: string
  env: Record<string, string>
  /** What the image starts, with its folder's paths. */
  command: string[]
}

type Step = [instruction: string, rest: string]

/** @param context the folder that is built; what git knows of it is copied. */
export function buildImage(dockerfile: string, context: string, folder: string): Image {
  const stages = new Map<string, string>()
  let image: Image = { root: '', env: {}, command: [] }
  let workdir = ''
  const inImage = (path: string): string => join(image.root, path)
  /** Absolute paths of a shell's words. */
  const withPaths = (text: string): string =>
    text.replace(/(?<=^| )\/[\w./-]+/g, (path) => inImage(path)).replace('chown node', 'chown $(id -u)')

  const instructions: Record<string, (rest: string) => void> = {
    FROM(rest) {
      const [base = '', , name = 'last'] = rest.split(' ')
      const major = /^node:(\d+)-/.exec(base)?.[1]
      if (!process.version.startsWith(`v${major}.`)) throw new Error(`${base} is not ${process.version}.`)
      const root = mkdtempSync(join(folder, `${name}-`))
      stages.set(name, root)
      workdir = root
      const path = `${join(root, 'usr/local/bin')}:${process.env.PATH}`
      const env = { PATH: path, npm_config_prefix: join(root, 'usr/local') }
      image = { root, env, command: [] }
      mkdirSync(inImage('tmp'))
    },
    WORKDIR(rest) {
      workdir = inImage(rest)
      mkdirSync(workdir, { recursive: true })
    },
    COPY(rest) {
      const [, stage, from = '', to = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? []
      if (stage === undefined) copyCommit(context, join(workdir, to))
      else cpSync(join(stages.get(stage) ?? '', from), inImage(to))
    },
    RUN(rest) {
      const { status } = spawnSync('sh', ['-c', withPaths(rest)], {
        cwd: workdir,
        // How this machine reaches the registry is its own.
        env: { ...process.env, npm_config_prefer_offline: 'true', ...image.env },
        stdio: 'inherit',
      })
      if (status !== 0) throw new Error(`This step of the Dockerfile ended with ${status}: ${rest}`)
    },
    ENV(rest) {
      const [name = '', value = ''] = rest.split('=')
      image.env[name] = value
    },
    CMD(rest) {
      image.command = (JSON.parse(rest) as string[]).map(withPaths)
    },
    EXPOSE() {},
    USER() {},
  }
  for (const [instruction, rest] of stepsOf(dockerfile)) {
    const run = instructions[instruction]
    if (!run) throw new Error(`Nobody has taught this test ${instruction}.`)
    run(rest)
  }
  return image
}

function stepsOf(dockerfile: string): Step[] {
  const text = readFileSync(dockerfile, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)])
}

function copyCommit(context: string, to: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: context, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
  for (const file of files) {
    mkdirSync(join(to, dirname(file)), { recursive: true })
    cpSync(join(context, file), join(to, file))
  }
}
