/** `onOrder` with nothing that remembers: refused where it matters, said elsewhere. One file, since a process warns once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { isInvalidInputError, memoryStore } from '../src/index.ts'
import { companionOf } from './support/companion.ts'
import { type Service, startService } from './support/service.ts'

let service: Service
const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => void warned.mockClear())
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => service.close())

const open = (options: Parameters<typeof companionOf>[1]): void =>
  companionOf(service.client(), options).close()
const onOrder = (): void => {}

describe('in production', () => {
  beforeEach(() => void vi.stubEnv('NODE_ENV', 'production'))

  test('refuses onOrder without a store, and says what to do', () => {
    const refusal = expect(() => open({ onOrder }))
    refusal.toThrow(expect.toSatisfy(isInvalidInputError))
    refusal.toThrow(/redisStore.*memoryStore/s)
  })

  test('takes memoryStore() by name, and a companion without onOrder as it is', () => {
    open({ onOrder, store: memoryStore() })
    open({})
    expect(warned).not.toHaveBeenCalled()
  })
})

test('elsewhere warns, once for all companions of the process, and of nothing secret', () => {
  open({ onOrder })
  open({ onOrder })
  expect(warned).toHaveBeenCalledOnce()
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^\[purchase-widget\] .*store/)]])
})

test('a runtime without process is not taken for production', () => {
  vi.stubGlobal('process', undefined)
  try {
    open({ onOrder })
  } finally {
    vi.unstubAllGlobals()
  }
})
