/** What tests need beside a running sandbox: see "In tests" in docs/sandbox.md. Needs no test runner, nor the types of one. */
export { createControl, type SandboxControl } from './control.ts'
export type { Duration } from './duration.ts'
export { type Shop, type ShopOptions, startShop } from './startShop.ts'
export { startTestSandbox, type TestSandbox } from './startTestSandbox.ts'
