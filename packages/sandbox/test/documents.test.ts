// Promises: sandbox/openapi, sandbox/docs
/**
 * The OpenAPI document is valid, and every response in this suite matches it (support/service.ts throws otherwise). The tables in
 * the docs match the code; `vitest -u` rewrites the generated ones.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test as plainTest } from 'vitest'
import { full, recordFigure } from '../../../scripts/proof.ts'
import { controlOperations, operations } from '../src/http/operations.ts'
import { faultKinds, faultTargets } from '../src/simulation/faults.ts'
import { switchNames, switchTable } from '../src/simulation/switches.ts'
import { declines } from '../src/widget/protocol.ts'
import { mismatch } from './support/contract.ts'
import { answersChecked, must, type Service, test, validUser } from './support/service.ts'

const identity = { email: 'shopper@example.com' }

type Switches = Record<string, string | number | boolean>

const flipped = switchNames.filter((name) => name !== 'paymentMs')

const oneByOne: readonly Switches[] = flipped.flatMap((name) =>
  switchTable[name].values.map((value) => ({ [name]: value })),
)

/** All switches at their first value, then all at their second, and so on: each value once in as few rounds as possible. */
const together: readonly Switches[] = Array.from(
  { length: Math.max(...flipped.map((name) => switchTable[name].values.length)) },
  (_, round) =>
    Object.fromEntries(
      flipped.flatMap((name) => {
        const value = switchTable[name].values[round]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
)

/** Valid and invalid calls of every operation. */
async function callAll(service: Service): Promise<void> {
  await service.createAccessToken<unknown>({}, {})
  const accessToken = tokenIn(await must(service.createAccessToken<unknown>()))
  const order = await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  await service.buy({ product_id: 'eth' }, { card_number: '4000000000004004' })
  for (const call of [
    () => service.getTokenExpiry<unknown>({ accessToken }),
    () => service.getTokenExpiry<unknown>({ accessToken: 'x' }),
    () => service.getOrderHistory<unknown>({ accessToken }),
    () => service.getOrderHistory<unknown>({}),
    () => service.getSubscription({ custom_id: 'c-1' }),
    () => service.getSubscription({}),
    () => service.getSubscription({ custom_id: 'nobody’s' }),
    () => service.getTransaction<unknown>({ order_id: order.id }),
    () => service.getTransaction<unknown>({ custom_id: 'c-1' }, {}),
    () => service.createWidgetUser<unknown>(),
    () => service.createWidgetUser<unknown>({ api_key: service.apiKey, ...validUser, phone: 'x' }),
    () => service.fetchUserDetails<unknown>({ api_key: service.apiKey, ...identity }),
    () => service.fetchUserDetails<unknown>({}),
    ...['state', 'switches', 'faults', 'clock', 'limits', 'webhooks', 'orders', 'requests'].map(
      (path) => () => service.control<unknown>(path, undefined, 'GET'),
    ),
  ])
    await call()
}

/** Extracts the token from any response shape. */
function tokenIn(body: unknown): string {
  if (typeof body === 'string') return body
  return tokenIn(Object.values(body as object)[0])
}

test('the OpenAPI document is valid OpenAPI 3.1 and has every operation and control', async ({ sandbox }) => {
  const document = await (await fetch(`${sandbox.urls.controlUrl}/openapi.json`)).json()
  const validator = new Validator()
  expect(await validator.validate(document as Record<string, unknown>)).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  const { paths } = document as { paths: Record<string, Record<string, { operationId: string }>> }
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(ids.sort()).toEqual([...operations, ...controlOperations].map(({ name }) => name).sort())
})

test('the OpenAPI document matches every response, under every value of every switch', async ({
  service,
  sandbox,
}) => {
  for (const switches of full ? oneByOne : together) {
    sandbox.reset()
    await service.flip(switches)
    await callAll(service)
  }
  expect(answersChecked()).toBeGreaterThan(full ? 1000 : 150)
  recordFigure(`sandbox: mismatches with the OpenAPI document in ${answersChecked()} answers`, 0)
})

test('a response that the OpenAPI document does not describe is rejected', () => {
  const exchange = {
    method: 'POST',
    path: '/api/business/transactions/data',
    status: 200,
    contentType: 'application/json',
  }
  expect(mismatch({ ...exchange, body: { id: 'x', type: 'y' } })).toBeNull()
  expect(mismatch({ ...exchange, body: { id: 7, type: 'y' } })).toMatch('id')
  expect(mismatch({ ...exchange, body: { id: 'x', type: 'y', surprise: 1 } })).toMatch('additional')
  expect(mismatch({ ...exchange, contentType: 'text/html', body: '' })).toMatch('text/html')
})

const docs = join(import.meta.dirname, '../../../docs')
const read = (name: string): string => readFileSync(join(docs, name), 'utf8')

const switchRows = switchNames.map((name) => {
  const { row, description, values } = switchTable[name]
  return `| \`${name}\` | ${row} | ${values.map((value) => `\`${value}\``).join(', ')}: ${description} |`
})

plainTest('docs/sandbox.md lists each switch with its row, its values and what it does', async () => {
  const page = read('sandbox.md').replace(
    /(<!-- switches -->\n)[\s\S]*(<!-- \/switches -->)/,
    (_, start, end) =>
      `${start}\n| switch | row | values, the default first |\n| --- | --- | --- |\n${switchRows.join('\n')}\n\n${end}`,
  )
  await expect(page).toMatchFileSnapshot(join(docs, 'sandbox.md'))
})

plainTest('docs/sandbox.md names each operation, kind of fault and decline code', () => {
  const page = read('sandbox.md')
  for (const name of [...faultTargets, ...faultKinds]) expect(page).toContain(`\`${name}\``)
  for (const code of Object.keys(declines))
    expect(page).toMatch(new RegExp(`${code}|4000 to 4005|4010 to 4013`))
})

plainTest('docs/assumptions.md has a row for each gap, and each switch in its row', () => {
  const rows = new Map(
    [...read('assumptions.md').matchAll(/^\| (U\d+) \|.*$/gm)].map(([line, number = '']) => [number, line]),
  )
  expect([...rows.keys()]).toEqual(Array.from({ length: 28 }, (_, index) => `U${index + 1}`))
  for (const name of switchNames) {
    const { row } = switchTable[name]
    expect(row.startsWith('U') ? rows.get(row) : read('assumptions.md')).toContain(`\`${name}\``)
  }
})
