/** All operations on the API's origin: the seven of the interface, and the control plane under `/_sandbox`. */
import { limitControls } from '../control/limits.ts'
import { orderControls, requestControls } from '../control/records.ts'
import { faultControls, switchControls } from '../control/settings.ts'
import { getState } from '../control/state.ts'
import { clockControls, snapshotControls } from '../control/time.ts'
import { webhookControls } from '../control/webhooks.ts'
import type { Operation, ServiceOperation } from '../service/operation.ts'
import { orderOperations } from '../service/orders.ts'
import { getSubscription } from '../service/subscriptions.ts'
import { tokenOperations } from '../service/tokens.ts'
import { userOperations } from '../service/users.ts'

export const operations: readonly ServiceOperation[] = [
  ...tokenOperations,
  ...orderOperations,
  getSubscription,
  ...userOperations,
]

/** Operations that the real service does not have. */
export const controlOperations: readonly Operation[] = [
  ...snapshotControls,
  ...clockControls,
  ...switchControls,
  ...faultControls,
  ...limitControls,
  ...webhookControls,
  ...orderControls,
  ...requestControls,
  getState,
]
