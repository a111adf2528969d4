/** The control plane: what no real service has, all of it under `/_sandbox`. */
import type { Operation } from '../service/operation.ts'
import { getClock, moveClock } from './clock.ts'
import { addFault, clearFaults, listFaults, removeFault } from './faults.ts'
import { getLimits, putLimits } from './limits.ts'
import { listOrders, makePurchase } from './orders.ts'
import { clearRequests, listRequests } from './requests.ts'
import { reset } from './reset.ts'
import { addSnapshot, restore } from './snapshots.ts'
import { getState } from './state.ts'
import { getSwitches, patchSwitches } from './switches.ts'
import { addWebhook, forgeWebhook, getWebhooks, redeliverWebhook, removeWebhook } from './webhooks.ts'

export const controlOperations: readonly Operation[] = [
  reset,
  addSnapshot,
  restore,
  getClock,
  moveClock,
  getSwitches,
  patchSwitches,
  listFaults,
  addFault,
  clearFaults,
  removeFault,
  getLimits,
  putLimits,
  getWebhooks,
  addWebhook,
  removeWebhook,
  redeliverWebhook,
  forgeWebhook,
  listOrders,
  makePurchase,
  listRequests,
  clearRequests,
  getState,
]
