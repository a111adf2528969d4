// Promise: doctor/names
/** A variable whose value is invalid is named, without its value: by the client, the companion and the doctor. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clientFromEnv, createCompanion, memoryStore } from '../../src/index.ts'
import { runCli } from '../support/cli.ts'
import { post } from '../support/companion.ts'

const right = {
  PURCHASE_WIDGET_URL: 'https://widget.service.example',
  PURCHASE_WIDGET_API_URL: 'https://tokens.service.example',
  PURCHASE_BASE_URL: 'https://api.service.example',
  PURCHASE_API_KEY: 'api-key-1',
  PURCHASE_SECRET_KEY: 'secret-key-1',
}

const wrong: [changes: Record<string, string>, message: string][] = [
  [{ PURCHASE_BASE_URL: 'http://api.service.example' }, 'PURCHASE_BASE_URL must use https'],
  [{ PURCHASE_USER_BASE_URL: 'http://users.service.example/v1' }, 'PURCHASE_USER_BASE_URL must use https'],
  [{ PURCHASE_WIDGET_URL: 'widget.service.example' }, 'PURCHASE_WIDGET_URL must be a full address'],
  [
    { PURCHASE_WIDGET_API_URL: 'https://me:hunter2@tokens.service.example' },
    'PURCHASE_WIDGET_API_URL must not hold a user name',
  ],
  [
    { PURCHASE_WIDGET_API_URL: 'https://tokens.service.example?key=hunter2' },
    'PURCHASE_WIDGET_API_URL must not have a query',
  ],
  [{ PURCHASE_BASE_URL: 'another-key-2' }, 'PURCHASE_BASE_URL must be a full address'],
  [{ PURCHASE_API_KEY: 'two words' }, 'PURCHASE_API_KEY must be a key without spaces'],
]
/** None of these may be seen. */
const secret = /hunter2|two words|another-key-2|secret-key-1|api-key-1/

describe.each(wrong)('%j', (changes, expected) => {
  test('is named by clientFromEnv', () => {
    const message = messageOf(() => clientFromEnv({ ...right, ...changes }))
    expect(message).toContain(`configuration: ${expected}`)
    expect(message).not.toMatch(secret)
  })
})

// The other messages reach it in the same way.
test('the doctor prints the message of the client, and no more', async () => {
  const [changes, expected] = wrong[3] ?? [{}, '']
  const { code, stdout, stderr } = await runCli(['doctor'], { ...right, ...changes })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^configuration: [^\n]+\n$/)
  expect(stderr).toContain(expected)
  expect(stderr).not.toMatch(secret)
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('onError of a companion has the variable', () => {
  beforeEach(() => {
    for (const [name, value] of Object.entries(right)) vi.stubEnv(name, value)
  })
  afterEach(() => void vi.unstubAllEnvs())

  test.each([
    ['PURCHASE_BASE_URL', 'http://api.service.example', 'PURCHASE_BASE_URL must use https'],
    ['PURCHASE_COMPANION_URL', 'http://shop.example/api', 'PURCHASE_COMPANION_URL must be https'],
    ['PURCHASE_COMPANION_URL', 'shop', 'PURCHASE_COMPANION_URL must be https'],
    [
      'PURCHASE_COMPANION_URL',
      `https://shop.example/${'long/'.repeat(20)}`,
      'PURCHASE_COMPANION_URL may have at most',
    ],
  ])('%s=%s', async (name, value, expected) => {
    vi.stubEnv(name, value)
    const errors: unknown[] = []
    const companion = createCompanion({
      store: memoryStore(),
      authorize: () => ({ customId: 'ada' }),
      allowedOrigins: ['https://shop.example'],
      onError: (error) => errors.push(error),
    })
    const { status } = await companion.fetch(post('/launch', {}))
    await companion.close()
    expect(status).toBe(503)
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(expected) })])
  })
})
