// Promise: token/shared
/** One token for a whole fleet: eight processes, 200 callers each, one Postgres; creating a token invalidates the one before it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { full, recordFigure } from '../../../../scripts/proof.ts'
import { type StoreProcess, startStoreProcess, type Tokens } from '../stores/storeProcess.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'

const processes = 8
const callers = 200

const leaseToken = async (instance: StoreProcess, service: Service, times = callers): Promise<Tokens> =>
  (await instance.run({ do: 'leaseToken', client: service.settings, callers: times })) as Tokens

/** All answers in one list. */
const together = (answers: Tokens[]): Tokens => ({
  tokens: [...new Set(answers.flatMap(({ tokens }) => tokens))],
  errors: answers.flatMap(({ errors }) => errors),
})

describe.skipIf(!hasPostgres)('a fleet of eight processes', () => {
  let service: Service
  let postgres: PostgresServer
  let schemas = 0
  let fleet: StoreProcess[] = []

  beforeAll(async () => {
    service = await startService()
    postgres = await startPostgres()
  })
  beforeEach(async () => {
    service.reset()
    schemas++
    await service.control('PATCH', '/switches', { refreshInvalidates: true })
    fleet = await Promise.all(Array.from({ length: processes }, () => start()))
    // Eight processes start slowly on a machine under load.
  }, 180_000)
  afterEach(() => Promise.all(fleet.map((instance) => instance.kill())))
  afterAll(async () => {
    await postgres.close()
    await service.close()
  })

  const start = (): Promise<StoreProcess> =>
    startStoreProcess({ kind: 'postgres', url: postgres.url, schema: `test_${schemas}` })

  const everyoneGets = async (): Promise<Tokens> =>
    together(await Promise.all(fleet.map((instance) => leaseToken(instance, service))))

  const refreshes = (): Promise<number> => service.count('createAccessToken')

  /** How many of these tokens the service refuses. */
  async function dead(tokens: string[]): Promise<number> {
    const checks = tokens.map((token) => service.client().accessTokens.expireDate(token))
    return (await Promise.allSettled(checks)).filter(({ status }) => status === 'rejected').length
  }

  /** Repeats until all callers have one live token. Returns the seconds that it took. */
  async function secondsUntilAllAgree(): Promise<string> {
    const started = performance.now()
    for (;;) {
      const { tokens } = await everyoneGets()
      if (tokens.length === 1 && (await dead(tokens)) === 0) {
        return ((performance.now() - started) / 1000).toFixed(1)
      }
      await sleep(100)
    }
  }

  test('cold start: one refresh, and no caller gets a dead token', async () => {
    const { tokens, errors } = await everyoneGets()
    expect(errors).toEqual([])
    expect(tokens).toHaveLength(1)
    expect(await dead(tokens)).toBe(0)
    expect(await refreshes()).toBe(1)
    recordFigure(
      `token refreshes for ${processes} processes × ${callers} cold callers`,
      `${await refreshes()}, ${await dead(tokens)} dead tokens served`,
    )
  })

  test('Postgres paused or killed: the live token is still served, without a refresh', async () => {
    const before = await everyoneGets()
    // Long enough for each instance to compare with the store again.
    await sleep(5_100)
    postgres.pause()
    const paused = await everyoneGets()
    postgres.resume()
    await postgres.kill()
    const killed = await everyoneGets()
    expect([...paused.errors, ...killed.errors]).toEqual([])
    expect(together([before, paused, killed]).tokens).toHaveLength(1)
    expect(await refreshes()).toBe(1)

    await postgres.start()
    const newcomer = await start()
    fleet.push(newcomer)
    const { tokens } = await leaseToken(newcomer, service)
    expect(tokens).toEqual(before.tokens)
    expect(await refreshes()).toBe(1)
    recordFigure(
      'errors to callers while a live token exists, Postgres paused, killed, and back',
      `0 of ${3 * processes * callers}; refreshes ${await refreshes()}`,
    )
  })

  test('Postgres down and all instances cold: at most one refresh per process, and all agree again once it is back', async () => {
    await postgres.kill()
    const { errors } = await everyoneGets()
    expect(errors).toEqual([])
    await everyoneGets()
    const count = await refreshes()
    expect(count).toBeLessThanOrEqual(processes)
    await postgres.start()
    const seconds = await secondsUntilAllAgree()
    if (full) expect(Number(seconds)).toBeLessThanOrEqual(10)
    expect(await refreshes()).toBe(count)
    recordFigure(
      'refreshes of 8 cold processes without Postgres',
      `${count}, 0 errors; all agree ${seconds} s after it is back`,
    )
  })

  test('the lock holder killed: the others continue when its lock has expired', async () => {
    const holder = await start()
    await service.control('POST', '/faults', {
      operation: 'createAccessToken',
      kind: 'latency',
      latencyMs: 60_000,
      count: 1,
    })
    const hanging = leaseToken(holder, service, 1)
    hanging.catch(() => {})
    while (((await service.control('GET', '/faults')) as unknown[]).length > 0) await sleep(20)
    const started = performance.now()
    await holder.kill()
    const { tokens, errors } = await everyoneGets()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    expect(errors).toEqual([])
    expect(tokens).toHaveLength(1)
    expect(await dead(tokens)).toBe(0)
    recordFigure('recovery after the holder of the lock was killed', `${seconds} s, 0 errors`)
  })
})
