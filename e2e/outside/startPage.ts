/** Follows a start page to the letter: runs its commands, writes its files, and adds the sandbox's output to its `.env`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, type Running, run, start } from '../../scripts/processes.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Followed {
  /** The sandbox, followed by the servers that the page starts. */
  readonly running: readonly Running[]
  /** The page's remaining commands, which need a running shop. */
  readonly remaining: readonly string[]
  /** Runs a command in the current folder of the page's commands, and returns its output. */
  readonly type: (command: string) => Promise<string>
  readonly widgetUrl: string
}

interface Block {
  /** The files named in the line above, which receive the block. Empty for a block of commands. */
  files: readonly string[]
  code: string
}

/** `folder` is empty; `isSelling` checks whether the shop responds. */
export async function followStartPage(
  page: string,
  folder: string,
  env: Environment,
  isSelling: (output: string) => boolean,
): Promise<Followed> {
  const [sandboxBlock, ...blocks] = blocksOf(page)
  const sandbox = await start('sh', ['-c', `${sandboxBlock?.code}`], { cwd: folder, env }, (output) =>
    output.includes('Ctrl-C stops it.'),
  )
  const printed = sandbox.output().match(/^PURCHASE_\w+=.*$/gm) ?? []
  const running = [sandbox]
  let cwd = folder
  try {
    const lastFile = blocks.findLastIndex(({ files }) => files.length > 0)
    for (const { files, code } of blocks.slice(0, lastFile + 1)) {
      for (const file of files)
        write(join(cwd, file), file.startsWith('.env') ? [...printed, code].join('\n') : code)
      if (files.length === 0) cwd = await typed(code, cwd, env)
    }
    const [sell, ...remaining] = blocks.slice(lastFile + 1).map(({ code }) => code)
    running.push(await start('sh', ['-c', `${sell}`], { cwd, env }, isSelling))
    const widgetUrl = `${printed.find((line) => line.startsWith('PURCHASE_WIDGET_URL='))}`.replace(
      /^.*?=/,
      '',
    )
    return { running, remaining, type: (command) => run('sh', ['-ec', command], { cwd, env }), widgetUrl }
  } catch (error) {
    for (const program of running) await program.stop()
    throw error
  }
}

/** The code blocks of a page in order. A paragraph that ends with a colon names the file of the block below. */
function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(root, page), 'utf8')
  return [...markdown.matchAll(/([^\n]*)\n\n```\w+\n(.*?)^```$/gms)].map(([, before = '', code = '']) => {
    const line = before.split('\n').at(-1) ?? ''
    const names = line.endsWith(':') ? [...line.matchAll(/`([^`\s]*\.\w+)`/g)] : []
    return { files: names.map(([, name]) => `${name}`), code }
  })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Runs commands and returns the final folder, because some commands change it. */
async function typed(commands: string, cwd: string, env: Environment): Promise<string> {
  const output = await run('sh', ['-ec', `${commands}\npwd`], { cwd, env })
  return `${output.trim().split('\n').at(-1)}`
}
