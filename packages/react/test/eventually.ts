import { vi } from 'vitest'

/** Waits until `check` passes: long, since a machine that runs every test at once is slow, but no longer than it takes. */
export const eventually = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 45_000, interval: 10 })
