/** Many instances of a merchant's server, each a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Command } from './leaseWorker.ts'

export interface Instance {
  ask(command: Command): Promise<Answer>
  kill(): Promise<void>
}

const script = fileURLToPath(new URL('leaseWorker.ts', import.meta.url))

export function startInstance(): Instance {
  const child: ChildProcess = fork(script, { execArgv: [] })
  return {
    async ask(command) {
      child.send(command)
      const [answer] = (await once(child, 'message')) as [Answer]
      return answer
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** All answers as one. */
export function together(answers: Answer[]): Answer {
  return {
    tokens: [...new Set(answers.flatMap(({ tokens }) => tokens))],
    errors: answers.flatMap(({ errors }) => errors),
  }
}
