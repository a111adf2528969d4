/** A sandbox for a test: a running one, and its control client. */
import { createSandbox, type Sandbox } from '../createSandbox.ts'
import type { SandboxOptions } from '../options.ts'
import { createControl, type SandboxControl } from './control.ts'

export type TestSandbox = Sandbox & SandboxControl

/**
 * Starts a sandbox on free ports, with `clock`, `faults`, `switches`, `orderOf` and the rest of the control client beside it.
 *
 * @throws Error as `createSandbox`.
 */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await createSandbox(options)
  return { ...sandbox, ...createControl(sandbox.urls.controlUrl) }
}
