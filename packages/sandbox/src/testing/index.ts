/** Test helpers for a running sandbox: see "In tests" in docs/sandbox.md. Requires no test runner, nor the types of one. */
export {
  createControl,
  type Duration,
  type SandboxControl,
  startTestSandbox,
  type TestSandbox,
} from './control.ts'
export { type Shop, type ShopOptions, startShop } from './startShop.ts'
