/** Checks of jobs and dead letters. */
import assert from 'node:assert/strict'
import { type DeadLetter, type Job, type Store, UNAUTHENTICATED_JOBS } from '../src/stores/store.ts'
import { type Checks, until } from './checks.ts'

const LONG_MS = 60_000

async function claimOne({ jobs }: Store, queue: Job['queue'] = 'trusted', holdMs = LONG_MS): Promise<Job> {
  const [job, ...more] = await jobs.claim(queue, 1, holdMs)
  assert.ok(job, 'a job is due')
  assert.equal(more.length, 0)
  return job
}

async function assertNoneDue({ jobs }: Store, queue: Job['queue'] = 'trusted'): Promise<void> {
  assert.deepEqual(await jobs.claim(queue, 10, LONG_MS), [])
}

/** Waits until the one job of the store is due again, and claims it. Not before `ms` have passed since `from`. */
async function claimAgain({ jobs }: Store, from: number, ms: number): Promise<Job | undefined> {
  const [job] = await until('the job to come back', async () => {
    const claimed = await jobs.claim('trusted', 1, LONG_MS)
    assert.ok(claimed.length === 0 || Date.now() - from >= ms, 'the job is held')
    return claimed.length > 0 && claimed
  })
  return job
}

const lettersOf = (letters: readonly DeadLetter[]): unknown[] =>
  letters.map(({ key, reason, attempts }) => [key, reason, attempts])

const keysOf = (jobs: readonly { key: string }[]): string[] => jobs.map(({ key }) => key)

export const jobChecks: Checks = {
  async 'gives each job to one claimer, longest due first'({ one, other }) {
    for (const key of ['first', 'second', 'third', 'second'])
      assert.equal(await one.jobs.add(key, 'trusted'), true)
    const early = await one.jobs.claim('trusted', 2, LONG_MS)
    const late = await other.jobs.claim('trusted', 10, LONG_MS)
    assert.deepEqual([...keysOf(early), ...keysOf(late)].sort(), ['first', 'second', 'third'])
    assert.ok(keysOf(early).includes('first'))
    assert.ok(early.every(({ attempt, queue }) => attempt === 1 && queue === 'trusted'))
    await assertNoneDue(one)
  },
  async 'gives no job to two claimers at once'({ one, other }) {
    const keys = Array.from({ length: 40 }, (_, index) => `job-${index}`)
    await Promise.all(keys.map((key) => one.jobs.add(key, 'trusted')))
    const claims = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? one : other).jobs.claim('trusted', 8, LONG_MS),
    )
    const claimed = (await Promise.all(claims)).flat()
    const rest = await one.jobs.claim('trusted', 40, LONG_MS)
    assert.deepEqual(keysOf([...claimed, ...rest]).sort(), keys.sort())
  },
  async 'makes a job due again when its claimer was killed'({ one, other }) {
    await one.jobs.add('job', 'trusted')
    const holdMs = 1_000
    const claimedAt = Date.now()
    const lost = await claimOne(one, 'trusted', holdMs)
    assert.equal((await claimAgain(other, claimedAt, holdMs))?.attempt, 1)
    // The first claimer is still alive after all, and late.
    await one.jobs.complete(lost)
    await one.jobs.retry(lost, 0)
    await assertNoneDue(one)
  },
  async 'holds a job for as long as its claimer renews it'({ one, other }) {
    await one.jobs.add('job', 'trusted')
    const holdMs = 2_000
    const job = await claimOne(one, 'trusted', holdMs)
    const renewUntil = Date.now() + 2 * holdMs
    let renewedAt = Date.now()
    await until('the job to come back', async () => {
      const found = await other.jobs.claim('trusted', 1, LONG_MS)
      // A slow machine may lose its claim.
      assert.ok(found.length === 0 || Date.now() - renewedAt >= holdMs, 'the job is held')
      const at = Date.now()
      if (found.length > 0 || at > renewUntil) return found.length > 0
      await one.jobs.hold(job, holdMs)
      renewedAt = at
      return false
    })
    // Another worker has claimed it now.
    await one.jobs.hold(job, holdMs)
    await one.jobs.complete(job)
    await assertNoneDue(one)
  },
  async 'makes a job due again after the delay of a retry'({ one, other }) {
    await assertNoneDue(other)
    await one.jobs.add('soon', 'trusted')
    const waitMs = 1_000
    const claimed = await claimOne(one)
    const toldAt = Date.now()
    await one.jobs.retry(claimed, waitMs)
    assert.equal((await claimAgain(other, toldAt, waitMs))?.attempt, 2)
  },
  async 'makes a waiting job due at once when it is added again'({ one, other }) {
    await one.jobs.add('job', 'trusted')
    await one.jobs.retry(await claimOne(one), LONG_MS)
    await assertNoneDue(one)
    await other.jobs.add('job', 'trusted')
    assert.equal((await claimOne(one)).key, 'job')
    await assertNoneDue(one)
  },
  async 'keeps a job that was added again while it was claimed'({ one, other }) {
    const settle: ((job: Job) => Promise<void>)[] = [
      (job) => one.jobs.complete(job),
      (job) => one.jobs.hold(job, LONG_MS),
      (job) => one.jobs.retry(job, LONG_MS),
      (job) => one.jobs.bury(job, 'too late'),
    ]
    for (const end of settle) {
      await one.jobs.add('job', 'trusted')
      const first = await claimOne(one)
      await other.jobs.add('job', 'trusted')
      await end(first)
      const again = await claimOne(other)
      assert.equal(again.key, 'job')
      await other.jobs.complete(again)
      await one.jobs.hold(again, 0)
      await assertNoneDue(one)
    }
  },
  async 'keeps a dead letter whose job was added again while it was claimed, or later'({ one, other }) {
    await one.jobs.add('job', 'trusted')
    const first = await claimOne(one)
    await other.jobs.add('job', 'trusted')
    await one.jobs.bury(first, 'failed')
    // The state was handled: the next attempts skip it.
    await other.jobs.complete(await claimOne(other))
    await other.jobs.add('job', 'trusted')
    await one.jobs.complete(await claimOne(one))
    await assertNoneDue(one)
    assert.deepEqual(lettersOf(await other.jobs.deadLetters(10)), [['job', 'failed', 1]])
    assert.equal(await one.jobs.redrive('job'), 1)
    assert.deepEqual(await other.jobs.deadLetters(10), [])
  },
  async 'keeps the dead letter of a worker that has lost its claim, and the job of the other'({
    one,
    other,
  }) {
    await one.jobs.add('job', 'trusted')
    const lost = await claimOne(one, 'trusted', 0)
    const job = await until('the job to come back', async () => (await other.jobs.claim('trusted', 1, 0))[0])
    await one.jobs.bury(lost, 'late')
    assert.deepEqual(lettersOf(await other.jobs.deadLetters(10)), [['job', 'late', 1]])
    await other.jobs.retry(job, 0)
    assert.equal((await claimAgain(one, Date.now(), 0))?.attempt, 2)
  },
  async 'keeps unauthenticated callers in a separate queue of limited length'({ one, other }) {
    const adds: boolean[] = []
    for (let index = 0; index < UNAUTHENTICATED_JOBS; index += 50) {
      const batch = Array.from({ length: 50 }, (_, more) =>
        one.jobs.add(`forged-${index + more}`, 'unauthenticated'),
      )
      adds.push(...(await Promise.all(batch)))
    }
    assert.equal(adds.every(Boolean), true)
    assert.equal(await other.jobs.add('one too many', 'unauthenticated'), false)
    assert.equal(await other.jobs.add('forged-0', 'unauthenticated'), true)
    await assertNoneDue(one)
    // An unauthenticated job changes nothing of the trusted one with its key.
    assert.equal(await one.jobs.add('forged-0', 'trusted'), true)
    await one.jobs.retry(await claimOne(other), LONG_MS)
    assert.equal(await one.jobs.add('forged-0', 'unauthenticated'), true)
    await assertNoneDue(one)
    assert.equal(await one.jobs.add('real', 'trusted'), true)
    assert.equal((await claimOne(other)).key, 'real')
    await one.jobs.complete(await claimOne(one, 'unauthenticated'))
    assert.equal(await other.jobs.add('one too many', 'unauthenticated'), true)
  },
  async 'keeps dead letters, newest first, and the last of each key'({ one, other }) {
    for (const [index, key] of ['third', 'first', 'second', 'third'].entries()) {
      await one.jobs.add(key, 'trusted')
      await one.jobs.bury(await claimOne(one), `why ${key} ${index}`)
    }
    await assertNoneDue(one)
    assert.equal((await one.jobs.deadLetters(9)).length, 3)
    const letters = await other.jobs.deadLetters(2)
    assert.deepEqual(
      letters.map(({ key, reason, attempts }) => ({ key, reason, attempts })),
      [
        { key: 'third', reason: 'why third 3', attempts: 1 },
        { key: 'second', reason: 'why second 2', attempts: 1 },
      ],
    )
    assert.ok(letters.every(({ diedAt }) => Math.abs(diedAt - Date.now()) < LONG_MS))
  },
  async 'redrives one dead letter by its key, or all'({ one, other }) {
    for (const key of ['first', 'second', 'third']) {
      await one.jobs.add(key, 'unauthenticated')
      await one.jobs.bury(await claimOne(one, 'unauthenticated'), 'why')
    }
    assert.equal(await other.jobs.redrive('unknown'), 0)
    assert.equal(await other.jobs.redrive('second'), 1)
    const second = await claimOne(one)
    assert.deepEqual([second.key, second.attempt], ['second', 1])
    assert.equal(await other.jobs.redrive(), 2)
    assert.deepEqual(keysOf(await one.jobs.claim('trusted', 10, LONG_MS)).sort(), ['first', 'third'])
    assert.deepEqual(await one.jobs.deadLetters(10), [])
  },
}
