/** Resources that a test file starts and need not close. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, onTestFinished } from 'vitest'
import { listen } from './http.ts'
import { type Service, startService } from './service.ts'

/** Shared by all tests of a file: reset before each test, and closed after the last. */
export async function serviceOfThisFile(): Promise<Service> {
  const service = await startService()
  beforeEach(() => service.reset())
  afterAll(() => service.close())
  return service
}

/** A folder for all tests of a file. */
export function folderOfThisFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purchase-widget-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The address of a plain server that lives until the end of the test. */
export async function serverUntilTheEnd(handler: RequestListener): Promise<string> {
  const { url, close } = await listen(handler)
  onTestFinished(close)
  return url
}
