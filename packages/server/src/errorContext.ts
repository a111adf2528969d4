/** Where a failure happened, for whoever reads of it. */
export interface ErrorContext {
  /** The request's route, such as `POST /token`, or `fulfilment`, which calls `onOrder`. */
  readonly during: string
  /** The service's id of the order that it was about. */
  readonly orderId?: string
  /** Which try it was, from 1. It is tried again unless it is a dead letter then. */
  readonly attempt?: number
}
