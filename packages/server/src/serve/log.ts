/** The service's log: a JSON object on each line of standard output. Fields are ids, codes and messages of ours, never personal data. */

import type { ErrorContext } from '../errors.ts'
import { codeOfFailure } from '../errors.ts'
import { printable } from '../unknown.ts'

export type Level = 'info' | 'warn' | 'error'

export type Log = (level: Level, event: string, fields?: Readonly<Record<string, unknown>>) => void

export function createLog(write: (line: string) => void): Log {
  return (level, event, fields = {}) =>
    write(printable(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })))
}

/** Logs a failure: its name and message, where it happened, and the code of its cause. */
export function logFailure(log: Log, error: unknown, context?: ErrorContext): void {
  const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' }
  const code = codeOfFailure(error)
  log('error', 'failure', { name, message, ...(code ? { code } : {}), ...context })
}
