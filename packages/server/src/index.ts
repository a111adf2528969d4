export { type NodeHandlerOptions, toNodeHandler } from './adapters/node.ts'
export {
  clientFromEnv,
  createPurchaseClient,
  type PurchaseClient,
  type PurchaseClientOptions,
} from './client/createPurchaseClient.ts'
export { DECLINE_CODES, type Decline, declineOf } from './client/declines.ts'
export type { CallLog } from './client/transport.ts'
export type * from './client/wire.ts'
export type { Answer } from './companion/answer.ts'
export {
  type Companion,
  type CompanionOptions,
  createCompanion,
  type RequestInfo,
} from './companion/createCompanion.ts'
export type { RateLimit } from './companion/limits.ts'
export type { OnUser, SubscriptionSummary, UserSummary } from './companion/routes/user.ts'
export type { Shopper } from './companion/shopper.ts'
export { type OrderSummary, summarise } from './companion/summary.ts'
export type { Checkup, PageHeaders } from './doctor/pageHeaders.ts'
export { type Diagnosis, type DoctorOptions, runDoctor } from './doctor/runDoctor.ts'
export {
  ApiError,
  InvalidInputError,
  isApiError,
  isInvalidInputError,
  isNetworkError,
  isTimeoutError,
  isUnexpectedResponseError,
  NetworkError,
  PurchaseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export type { OnOrder, OrderHint } from './fulfilment/doorbell.ts'
export { memoryStore } from './stores/memory.ts'
export type {
  Counter,
  DeadLetter,
  Handled,
  Job,
  Jobs,
  Lane,
  PurchaseRows,
  SharedState,
  Store,
  StoredValue,
  UnsettledSpan,
} from './stores/store.ts'
export {
  createTokenLease,
  type LeasedToken,
  type TokenLease,
  type TokenLeaseOptions,
} from './token/tokenLease.ts'
