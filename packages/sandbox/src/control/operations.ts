/** The control plane: what no real service has, all of it under `/_sandbox`. */
import type { Operation } from '../service/operation.ts'
import { clockControls } from './clock.ts'
import { faultControls } from './faults.ts'
import { limitControls } from './limits.ts'
import { orderControls } from './orders.ts'
import { requestControls } from './requests.ts'
import { snapshotControls } from './snapshots.ts'
import { getState } from './state.ts'
import { switchControls } from './switches.ts'
import { webhookControls } from './webhooks.ts'

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
