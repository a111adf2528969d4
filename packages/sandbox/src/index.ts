/** The whole service on your own machine: see docs/sandbox.md. */
export { createSandbox, type Sandbox } from './createSandbox.ts'
export { defaultLimits, type LimitAmounts, type LimitTable } from './kyc.ts'
export type { SandboxOptions } from './options.ts'
export type { Credentials } from './state/state.ts'
export type { Switches, SwitchName } from './switches.ts'
