/** The whole service on your own machine: see docs/sandbox.md. */
export { createSandbox, type Sandbox, type SandboxOptions } from './createSandbox.ts'
export { defaultLimits, type LimitAmounts, type LimitTable } from './kyc.ts'
export type { Credentials } from './state/state.ts'
export type { Switches, SwitchName } from './switches.ts'
