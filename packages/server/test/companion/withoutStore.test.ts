// Promise: companion/store-required
/** A companion with nothing that remembers: refused where it matters, said elsewhere. One file, since a process warns once. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CompanionOptions, createCompanion, isInvalidInputError, memoryStore } from '../../src/index.ts'
import { get, mount } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
beforeEach(() => void warned.mockClear())
afterEach(() => void vi.unstubAllEnvs())

/** The status of a first request, and what `onError` saw. */
async function firstAnswer(options: Partial<CompanionOptions> = {}): Promise<[number, unknown[]]> {
  const errors: unknown[] = []
  const companion = createCompanion({
    client: service.client(),
    url: mount,
    authorize: () => ({ customId: 'ada' }),
    createPurchase: () => ({ params: {} }),
    onOrder: () => {},
    onError: (error) => errors.push(error),
    ...options,
  })
  const { status } = await companion.fetch(get('/orders', 'ada'))
  await companion.close()
  return [status, errors]
}

describe('in production', () => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'))

  test('answers nothing without a store, and says what to do', async () => {
    const [status, [error, ...more]] = await firstAnswer()
    expect(status).toBe(503)
    expect(more).toEqual([])
    expect(isInvalidInputError(error)).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringMatching(/sqliteStore.*postgresStore.*memoryStore/s),
    })
  })

  test('accepts memoryStore() when it is given by name', async () => {
    expect(await firstAnswer({ store: memoryStore() })).toEqual([200, []])
    expect(warned).not.toHaveBeenCalled()
  })
})

test('outside production one warning for all companions of the process says nothing secret', async () => {
  expect(await firstAnswer()).toEqual([200, []])
  expect(await firstAnswer()).toEqual([200, []])
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^\[purchase-widget\] .*store/)]])
})

test('a runtime without process is not taken for production', async () => {
  const { process } = globalThis
  vi.stubGlobal('process', undefined)
  const answer = firstAnswer()
  vi.stubGlobal('process', process)
  expect(await answer).toEqual([200, []])
  vi.unstubAllGlobals()
})
