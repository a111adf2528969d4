/** The whole service on your own machine: see docs/sandbox.md. */
export { createSandbox, type Sandbox } from './createSandbox.ts'
export { defaultLimits } from './domain/kyc.ts'
export type { SandboxOptions } from './options.ts'
export type { Switches, SwitchName } from './simulation/switches.ts'
export type { Credentials, LimitAmounts, LimitTable, Seed } from './state/state.ts'
