/** The package's public API: re-exports only. */

export {
  type LambdaAnswer,
  type LambdaEvent,
  type LambdaHandlerOptions,
  toLambdaHandler,
} from './adapters/lambda.ts'
export { type NodeHandlerOptions, toNodeHandler } from './adapters/node.ts'
export {
  clientFromEnv,
  createPurchaseClient,
  type PurchaseClient,
  type PurchaseClientOptions,
} from './client/createPurchaseClient.ts'
export { type Decline, declineOf } from './client/declines.ts'
export type { CallLog } from './client/transport.ts'
export type * from './client/wire.ts'
export type { RefusalCode } from './companion/answer.ts'
export type { App } from './companion/context.ts'
export { type Companion, createCompanion } from './companion/createCompanion.ts'
export { type GuestsOptions, guests } from './companion/guests.ts'
export type { RateLimit } from './companion/limits.ts'
export type {
  Authorized,
  AuthorizedShopper,
  CompanionOptions,
  OnUser,
  RequestInfo,
} from './companion/options.ts'
export type { LaunchGrant, TokenGrant } from './companion/routes/token.ts'
export type { SubscriptionSummary, UserSummary } from './companion/routes/user.ts'
export type { Checkup } from './doctor/checkup.ts'
export type { PageHeaders } from './doctor/pageHeaders.ts'
export { type Diagnosis, type DoctorOptions, runDoctor } from './doctor/runDoctor.ts'
export {
  ApiError,
  type ErrorContext,
  InvalidInputError,
  isApiError,
  isInvalidInputError,
  isNetworkError,
  isPurchaseRefused,
  isTimeoutError,
  isUnexpectedResponseError,
  NetworkError,
  PurchaseError,
  PurchaseRefused,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export { type OrderHint, webhookKeyOf } from './fulfilment/webhook.ts'
export type * from './purchase/purchase.ts'
export type { Shopper } from './purchase/shopper.ts'
export type { PurchaseAnswer } from './purchase/status.ts'
export type { OrderSummary } from './purchase/summary.ts'
export { type MemoryStoreOptions, memoryStore } from './stores/memory.ts'
export type {
  DeadLetter,
  Handled,
  IdempotencyRecord,
  Job,
  Jobs,
  PurchaseRows,
  QueueName,
  SharedState,
  Sold,
  Store,
  StoredValue,
  UnsettledSpan,
} from './stores/store.ts'
export type { LeasedToken } from './token/sharedToken.ts'
export { createTokenLease, type TokenLease, type TokenLeaseOptions } from './token/tokenLease.ts'
