/** The control plane: what no real service has, all of it under `/_sandbox`. */
import type { Operation } from '../service/operation.ts'
import { limitControls } from './limits.ts'
import { orderControls, requestControls } from './records.ts'
import { faultControls, switchControls } from './settings.ts'
import { getState } from './state.ts'
import { clockControls, snapshotControls } from './time.ts'
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
